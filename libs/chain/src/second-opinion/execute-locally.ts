import { createCustomCommon, Hardfork, Mainnet, type Common } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import type { StateOverrides } from '../reads/eth-call.js';
import type { SimulatedBlock, SimulatedTransaction } from '../actions/provider-execution.js';
import type { SimulatedEffects } from '../actions/simulated-effects.js';
import { ObservedState } from './observed.state.js';
import type { StateReads } from './state.reads.js';

/**
 * The gas that a Nitro chain allows one transaction, which bounds the cost of foreign code here. Effects are judged,
 * not gas.
 */
const GAS_LIMIT = 32_000_000n;

/** Nitro's rules including EIP-7702: a launch may meet a wallet that has set code. */
const common: Common = createCustomCommon({ chainId: 4663 }, Mainnet, { hardfork: Hardfork.Prague });

/**
 * Executes transactions in this process, one after the other up to the first that reverts, by an EVM that is not the
 * provider's. State is an observer's state at the block's head, with `overrides`. The transactions are in a block of
 * their own at its time. The router and the reviewed projects read only time and chain ID of a block. Its other fields
 * are zero here (and a Nitro chain's `block.number` is Ethereum's), so code that reads them makes the executors differ
 * and never agree by chance.
 * @throws ChainError if the observer does not serve the state, or the code cannot be executed here.
 */
export async function executeLocally(
  reads: StateReads,
  transactions: readonly SimulatedTransaction[],
  at: SimulatedBlock,
  overrides: StateOverrides = {},
): Promise<readonly SimulatedEffects[]> {
  const state = new ObservedState(reads, overrides);
  const effects: SimulatedEffects[] = [];
  for (const transaction of transactions) {
    const one = await executeOne(state, reads, transaction, at);
    effects.push(one);
    if (one.status === 'reverted') break;
  }
  return effects;
}

/**
 * Executes one transaction in an EVM of its own: transient storage and warm accounts end with it, the state does not.
 */
async function executeOne(
  state: ObservedState,
  reads: StateReads,
  transaction: SimulatedTransaction,
  { block: head, time }: SimulatedBlock,
): Promise<SimulatedEffects> {
  const balances = await state.touchedBalances();
  const evm = await createEVM({ common, stateManager: state, allowUnlimitedContractSize: true });
  const zero = createAddressFromString(`0x${'00'.repeat(20)}`);
  const from = createAddressFromString(transaction.from as Hex);
  const run = evm.runCall({
    caller: from,
    origin: from,
    to: createAddressFromString(transaction.to as Hex),
    value: transaction.value,
    data: hexToBytes(transaction.data),
    gasLimit: GAS_LIMIT,
    gasPrice: 0n,
    block: {
      header: {
        number: head.number + 1n,
        timestamp: time,
        coinbase: zero,
        difficulty: 0n,
        prevRandao: new Uint8Array(32),
        gasLimit: GAS_LIMIT,
        baseFeePerGas: 0n,
        getBlobGasPrice: () => 1n,
      },
    } as never,
  });
  const { execResult } = await run.catch((error: unknown) => {
    if (error instanceof ChainError) throw error;
    // Foreign code that the executor cannot run (a missing precompile, a length beyond its memory) makes no statement.
    throw new ChainError('RPC_ANSWER_INVALID', {
      observer: reads.observer.id,
      method: 'eth_getCode',
      problem: `the code cannot be executed here: ${String(error).slice(0, 80)}`,
    });
  });
  if (execResult.exceptionError !== undefined) {
    return { status: 'reverted', returnData: bytesToHex(execResult.returnValue), logs: [], nativeDeltas: new Map() };
  }
  const nativeDeltas = new Map<string, bigint>();
  for (const [address, after] of await state.touchedBalances()) {
    const before = balances.get(address) ?? state.originalBalances.get(address)!;
    if (after !== before) nativeDeltas.set(address, after - before);
  }
  return {
    status: 'success',
    returnData: bytesToHex(execResult.returnValue),
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
    })),
    nativeDeltas,
  };
}
