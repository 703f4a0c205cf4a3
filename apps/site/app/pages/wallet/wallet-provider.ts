import type { Hex } from 'viem';
import { numberToHex } from 'viem/utils';

/** A wallet's own provider (EIP-1193), or a part of it. */
export interface WalletProvider {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A call that the wallet sends. */
export interface Call {
  readonly to: Hex;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
}

export const CHAIN_ID_HEX = numberToHex(4663);

/** The account and the chain that the wallet has selected at this moment. */
export interface Selected {
  /** In lower case; null without access to any account. */
  readonly account: string | null;
  readonly chainId: bigint;
}

/** Asks the wallet for its account and chain: the state of the connection can be older. */
export async function readSelected(provider: WalletProvider): Promise<Selected> {
  const chainId = BigInt(textOf(await provider.request({ method: 'eth_chainId' })));
  const accounts = await provider.request({ method: 'eth_accounts' });
  const [first] = Array.isArray(accounts) ? (accounts as readonly unknown[]) : [];
  return { account: typeof first === 'string' ? first.toLowerCase() : null, chainId };
}

/** Asks the wallet to select chain 4663. */
export const switchToChain = (provider: WalletProvider): Promise<unknown> =>
  provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: CHAIN_ID_HEX }] });

/** Asks the wallet to sign and send one transaction. Returns its hash. */
export async function sendTransaction(provider: WalletProvider, from: Hex, call: Call): Promise<Hex> {
  const { to, value, data } = call;
  const transaction = { from, to, value: numberToHex(value), data, chainId: CHAIN_ID_HEX };
  return hashOf(await provider.request({ method: 'eth_sendTransaction', params: [transaction] }));
}

const CAPABILITY_STATUSES: readonly unknown[] = ['supported', 'ready'];

/** Whether the wallet sends several calls as one, all or none (EIP-5792). A wallet that does not know the question does not. */
export async function supportsAtomicBatch(provider: WalletProvider, account: string): Promise<boolean> {
  let answer: unknown;
  try {
    answer = await provider.request({ method: 'wallet_getCapabilities', params: [account, [CHAIN_ID_HEX]] });
  } catch (error) {
    if (isUnsupported(error)) return false;
    throw error;
  }
  const capabilities = (answer ?? {}) as Readonly<Record<string, { readonly atomic?: { readonly status?: unknown } }>>;
  return CAPABILITY_STATUSES.includes(capabilities[CHAIN_ID_HEX]?.atomic?.status);
}

/** Codes of a method that the wallet does not have: EIP-1193, JSON-RPC, and EIP-5792. */
const UNSUPPORTED: readonly unknown[] = [4200, -32601, 5700];
const isUnsupported = (error: unknown): boolean =>
  UNSUPPORTED.includes((error as { readonly code?: unknown } | null)?.code);

const BATCH_POLL_MS = 2_000;
const BATCH_POLLS = 300;

/** Asks the wallet to send a batch, all calls or none, and waits until it names the transaction. */
export async function sendBatch(
  provider: WalletProvider,
  from: Hex,
  calls: readonly Call[],
  pause: (milliseconds: number) => Promise<void>,
): Promise<Hex> {
  const batch = {
    version: '2.0.0',
    chainId: CHAIN_ID_HEX,
    from,
    atomicRequired: true,
    calls: calls.map(({ to, value, data }) => ({ to, value: numberToHex(value), data })),
  };
  const sent = (await provider.request({ method: 'wallet_sendCalls', params: [batch] })) as { readonly id?: unknown };
  const id = textOf(sent?.id);
  for (let poll = 0; poll < BATCH_POLLS; poll += 1) {
    const status = (await provider.request({ method: 'wallet_getCallsStatus', params: [id] })) as BatchStatus;
    const hash = status?.receipts?.[0]?.transactionHash;
    if (hash !== undefined) return hashOf(hash);
    if (Number(status?.status) >= FAILED) throw new Error('the wallet could not send the batch');
    await pause(BATCH_POLL_MS);
  }
  throw new Error('the wallet named no transaction of the batch within ten minutes');
}
/** Statuses of EIP-5792 from here on are failures. */
const FAILED = 400;
interface BatchStatus {
  readonly status?: unknown;
  readonly receipts?: readonly { readonly transactionHash?: unknown }[];
}

/** Returns whether a transaction succeeded; null while it is in no block that the wallet knows. */
export async function readReceipt(provider: WalletProvider, hash: Hex): Promise<'success' | 'reverted' | null> {
  const receipt = (await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })) as {
    readonly status?: unknown;
  } | null;
  if (receipt === null || receipt === undefined) return null;
  return receipt.status === '0x1' ? 'success' : 'reverted';
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('the wallet answered in another form than EIP-1193 has');
  return value;
}
function hashOf(value: unknown): Hex {
  const text = textOf(value);
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error('the wallet answered with no transaction hash');
  return text.toLowerCase() as Hex;
}
