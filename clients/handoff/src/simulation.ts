import { explainRevert, type Hex } from '@launch/evm';
import { numberToHex } from 'viem/utils';
import type { ReviewedCall, ReviewedTransaction, WalletProvider } from './handoff.types.js';

interface Revert {
  readonly revert: string;
  readonly remedy: string;
}
/** The exact transaction at the latest block; `unsupported` for a batch that the provider cannot simulate. */
export type Simulation = { readonly gas: bigint } | Revert | 'unsupported';

/** Executes the transaction at the latest block. @throws the provider's errors, but for a revert, which is an answer */
export const simulate = (provider: WalletProvider, { controller, calls, isBatch }: ReviewedTransaction) =>
  isBatch ? simulateBatch(provider, controller, calls) : simulateCall(provider, controller, calls[0]!);

const rpcCall = (from: Hex, { to, value, data }: ReviewedCall) => ({ from, to, value: numberToHex(value), data });

interface RpcFailure {
  readonly code?: number;
  readonly message?: string;
  readonly data?: unknown;
}

/** Codes with which providers answer a call that reverts. */
const REVERTED = new Set([3, -32_000, -32_015, -32_603]);

async function simulateCall(provider: WalletProvider, from: Hex, call: ReviewedCall): Promise<Simulation> {
  try {
    const gas = await provider.request({ method: 'eth_estimateGas', params: [rpcCall(from, call)] });
    return { gas: BigInt(gas as Hex) };
  } catch (error) {
    const failure = error as RpcFailure;
    if (failure.code === undefined || !REVERTED.has(failure.code)) throw error;
    return reverted(failure);
  }
}

/** Codes of a method that a provider does not have, does not know or does not allow: JSON-RPC and EIP-1193. */
const UNSUPPORTED = new Set([-32_601, -32_004, 4200, 4100]);
/** Code of `eth_simulateV1` for a sender that cannot pay. */
const UNPAID = -38_014;

interface SimulatedCall {
  readonly status?: unknown;
  readonly gasUsed?: unknown;
  readonly returnData?: unknown;
  readonly error?: RpcFailure;
}

/** The later calls of a batch need the effects of the earlier ones, so they run in one simulated block. */
async function simulateBatch(provider: WalletProvider, from: Hex, calls: readonly ReviewedCall[]): Promise<Simulation> {
  let blocks: unknown;
  try {
    const blockStateCalls = [{ calls: calls.map((call) => rpcCall(from, call)) }];
    blocks = await provider.request({ method: 'eth_simulateV1', params: [{ blockStateCalls }, 'latest'] });
  } catch (error) {
    const failure = error as RpcFailure;
    if (failure.code !== undefined && UNSUPPORTED.has(failure.code)) return 'unsupported';
    if (failure.code === UNPAID) return reverted(failure);
    throw error;
  }
  const [block] = blocks as readonly [{ readonly calls: readonly SimulatedCall[] }];
  if (block.calls.length !== calls.length)
    throw new Error('the wallet’s provider simulated another number of calls than the batch has');
  const failed = block.calls.findIndex(({ status }) => status !== '0x1');
  if (failed >= 0) {
    const { error, returnData } = block.calls[failed]!;
    const { revert, remedy } = reverted({ ...error, data: error?.data ?? returnData });
    return { revert: `call ${failed + 1} of ${calls.length}: ${revert}`, remedy };
  }
  return { gas: block.calls.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed as Hex), 0n) };
}

function reverted({ message, data }: RpcFailure): Revert {
  const revert = revertData(data);
  if (revert === null) return { revert: message ?? 'reverted', remedy: 'Read the message of your wallet’s provider.' };
  const { actual, detail } = explainRevert(revert, 'funding');
  return { revert: actual, remedy: detail };
}

/** Providers nest the data of a revert at different depths. */
function revertData(details: unknown): Hex | null {
  for (let part = details, depth = 0; depth < 4; depth += 1) {
    if (typeof part === 'string') return /^0x(?:[0-9a-f]{2}){4,}$/i.test(part) ? (part.toLowerCase() as Hex) : null;
    if (typeof part !== 'object' || part === null) return null;
    part = (part as { readonly data?: unknown }).data;
  }
  return null;
}
