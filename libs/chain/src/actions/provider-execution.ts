import { z } from 'zod';
import type { Hex } from 'viem';
import { agree, indeterminate, type Agreement } from '../agreement/agreement.js';
import { commonHead } from '../agreement/common-head.js';
import { ChainError, isChainError } from '../chain.error.js';
import {
  callParameter,
  ethCall,
  overridesParameter,
  type CallRequest,
  type StateOverrides,
} from '../reads/eth-call.js';
import { ask, rpcData, rpcQuantity, type BlockHeader } from '../rpc/rpc-answers.schema.js';
import { quantity, type ObserverPair, type RpcObserver } from '../rpc/observer.js';
import {
  comparableEffects,
  effectsOfTracedLogs,
  simulatedLogSchema,
  type SimulatedEffects,
} from './simulated-effects.js';

export interface SimulatedTransaction {
  readonly from: string;
  readonly to: string;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
}

/** Unix seconds, both ends inclusive. */
export interface TimeWindow {
  readonly validAfter: bigint;
  readonly deadline: bigint;
}

/** The place of a simulation: the block after this head, with this time (Unix seconds). */
export interface SimulatedBlock {
  readonly block: BlockHeader;
  readonly time: bigint;
}

/** One provider's result of an execution. `gasUsed` is null if gas was not requested. */
export type ProviderExecution<Gas extends bigint | null> =
  | { readonly kind: 'ok'; readonly gasUsed: Gas; readonly effects: SimulatedEffects }
  | { readonly kind: 'reverted'; readonly data: Hex };

/**
 * One provider's results of consecutive calls in one block: one execution each, up to the first that reverts. A sender
 * stops after a revert.
 */
export type ProviderExecutions<Gas extends bigint | null> = readonly ProviderExecution<Gas>[];

/**
 * Selects the block that a transaction of this window would be in next: after the observers' common head, inside the
 * window.
 */
export async function simulatedBlock(
  l2: ObserverPair,
  window: TimeWindow,
): Promise<
  | ({ readonly kind: 'block' } & SimulatedBlock)
  | { readonly kind: 'window-passed' }
  | { readonly kind: 'indeterminate'; readonly reason: string }
> {
  const head = await commonHead(l2);
  if (head.kind === 'indeterminate') return head;
  const block = head.value;
  if (block.timestamp >= window.deadline) return { kind: 'window-passed' };
  return {
    kind: 'block',
    block,
    time: block.timestamp + 1n > window.validAfter ? block.timestamp + 1n : window.validAfter,
  };
}

/**
 * Executes transactions one after the other in one block, on both providers with the same method. Uses `eth_simulateV1`
 * at the given time. If an observer lacks it, uses `byCall` at the head for both, which requires the window to be open
 * there already. `eth_call` keeps no state, so several transactions require `eth_simulateV1`.
 */
export async function executeOnProviders<Gas extends bigint | null>(
  l2: ObserverPair,
  transactions: readonly SimulatedTransaction[],
  { block, time }: SimulatedBlock,
  byCall: (
    observer: RpcObserver,
    transaction: SimulatedTransaction,
    head: BlockHeader,
  ) => Promise<ProviderExecution<Gas>>,
  overrides?: StateOverrides,
): Promise<Agreement<ProviderExecutions<bigint | Gas>>> {
  // Clients may account gas differently. The verdict, the effects and the revert data must be equal.
  const comparable = (results: ProviderExecutions<bigint | null>): unknown =>
    results.map((result) => (result.kind === 'ok' ? comparableEffects(result.effects) : result));
  let missing = false;
  const simulated = await agree(
    l2,
    'simulation',
    async (observer) => {
      try {
        return await simulateV1(observer, transactions, block, time, overrides);
      } catch (error) {
        missing ||= isChainError(error, 'RPC_METHOD_MISSING');
        throw error;
      }
    },
    comparable,
  );
  if (!missing) return simulated;
  const [transaction, ...further] = transactions;
  if (transaction === undefined || further.length > 0)
    return indeterminate('simulation: consecutive transactions need eth_simulateV1, which is missing');
  if (time > block.timestamp + 1n)
    return indeterminate('simulation: the window is not open at the head and eth_simulateV1 is missing');
  return agree(
    l2,
    'simulation by eth_call',
    async (observer) => [await byCall(observer, transaction, block)],
    comparable,
  );
}

const simulationSchema = z
  .array(
    z.object({
      timestamp: rpcQuantity,
      calls: z
        .array(
          z.object({
            status: z.enum(['0x0', '0x1']),
            gasUsed: rpcQuantity,
            returnData: rpcData,
            logs: z.array(simulatedLogSchema).default([]),
            error: z.object({ code: z.number().optional(), data: rpcData.nullish() }).nullish(),
          }),
        )
        .min(1),
    }),
  )
  .min(1);

async function simulateV1(
  observer: RpcObserver,
  transactions: readonly SimulatedTransaction[],
  head: BlockHeader,
  time: bigint,
  overrides: StateOverrides | undefined,
): Promise<ProviderExecutions<bigint>> {
  const payload = {
    blockStateCalls: [
      {
        blockOverrides: { time: quantity(time) },
        ...(overrides === undefined ? {} : { stateOverrides: overridesParameter(overrides) }),
        calls: transactions.map(callParameter),
      },
    ],
    validation: false,
    traceTransfers: true,
  };
  const blocks = await ask(observer, 'eth_simulateV1', [payload, quantity(head.number)], simulationSchema);
  const last = blocks.at(-1);
  const invalid = (problem: string): ChainError =>
    new ChainError('RPC_ANSWER_INVALID', { observer: observer.id, method: 'eth_simulateV1', problem });
  if (last?.timestamp !== time) throw invalid('not simulated at the time asked for');
  if (last.calls.length !== transactions.length) throw invalid('another number of executions than of transactions');
  const executions = last.calls.map((call): ProviderExecution<bigint> =>
    call.status === '0x1'
      ? {
          kind: 'ok',
          gasUsed: call.gasUsed,
          effects: { status: 'success', returnData: call.returnData, ...effectsOfTracedLogs(call.logs) },
        }
      : { kind: 'reverted', data: call.returnData === '0x' ? (call.error?.data ?? '0x') : call.returnData },
  );
  const reverted = executions.findIndex(({ kind }) => kind === 'reverted');
  return reverted === -1 ? executions : executions.slice(0, reverted + 1);
}

/** Executes at a head by `eth_call`, which returns neither logs nor balances. Estimates `gas` after a success. */
export async function executeByCall<Gas extends bigint | null>(
  observer: RpcObserver,
  transaction: CallRequest,
  head: BlockHeader,
  gas: () => Promise<Gas>,
  overrides?: StateOverrides,
): Promise<ProviderExecution<Gas>> {
  try {
    const returnData = await ethCall(observer, transaction, head.number, overrides);
    return {
      kind: 'ok',
      gasUsed: await gas(),
      effects: { status: 'success', returnData, logs: null, nativeDeltas: null },
    };
  } catch (error) {
    if (isChainError(error, 'RPC_REVERTED')) return { kind: 'reverted', data: error.data.data };
    throw error;
  }
}
