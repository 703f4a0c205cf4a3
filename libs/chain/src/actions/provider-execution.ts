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

/** Unix seconds, both ends inside. */
export interface TimeWindow {
  readonly validAfter: bigint;
  readonly deadline: bigint;
}

/** Where a simulation stands: on top of this head, in a block of this time (unix seconds). */
export interface SimulatedBlock {
  readonly block: BlockHeader;
  readonly time: bigint;
}

/** What one provider says of an execution; `gasUsed` is null where it was not asked for. */
export type ProviderExecution<Gas extends bigint | null> =
  | { readonly kind: 'ok'; readonly gasUsed: Gas; readonly effects: SimulatedEffects }
  | { readonly kind: 'reverted'; readonly data: Hex };

/** The block a transaction of this window would be in next: on the observers' common head, inside the window. */
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
 * Executes a transaction on both providers in the same way: what one of them cannot say, neither is asked.
 * `eth_simulateV1` at the time asked for; where an observer lacks it, `byCall` at the head, which needs the window to be
 * open there already.
 */
export async function executeOnProviders<Gas extends bigint | null>(
  l2: ObserverPair,
  transaction: SimulatedTransaction,
  { block, time }: SimulatedBlock,
  byCall: (observer: RpcObserver, head: BlockHeader) => Promise<ProviderExecution<Gas>>,
  overrides?: StateOverrides,
): Promise<Agreement<ProviderExecution<bigint | Gas>>> {
  // Gas may differ by a client's accounting; the verdict, the effects and a revert's data may not.
  const comparable = (result: ProviderExecution<bigint | null>): unknown =>
    result.kind === 'ok' ? comparableEffects(result.effects) : result;
  let missing = false;
  const simulated = await agree(
    l2,
    'simulation',
    async (observer) => {
      try {
        return await simulateV1(observer, transaction, block, time, overrides);
      } catch (error) {
        missing ||= isChainError(error, 'RPC_METHOD_MISSING');
        throw error;
      }
    },
    comparable,
  );
  if (!missing) return simulated;
  if (time > block.timestamp + 1n)
    return indeterminate('simulation: the window is not open at the head and eth_simulateV1 is missing');
  return agree(l2, 'simulation by eth_call', (observer) => byCall(observer, block), comparable);
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
            logs: z.array(simulatedLogSchema).max(1_024).default([]),
            error: z.object({ code: z.number().optional(), data: rpcData.nullish() }).nullish(),
          }),
        )
        .length(1),
    }),
  )
  .min(1);

async function simulateV1(
  observer: RpcObserver,
  transaction: SimulatedTransaction,
  head: BlockHeader,
  time: bigint,
  overrides: StateOverrides | undefined,
): Promise<ProviderExecution<bigint>> {
  const payload = {
    blockStateCalls: [
      {
        blockOverrides: { time: quantity(time) },
        ...(overrides === undefined ? {} : { stateOverrides: overridesParameter(overrides) }),
        calls: [callParameter(transaction)],
      },
    ],
    validation: false,
    traceTransfers: true,
  };
  const blocks = await ask(observer, 'eth_simulateV1', [payload, quantity(head.number)], simulationSchema);
  const last = blocks.at(-1);
  const call = last?.calls[0];
  if (last === undefined || call === undefined || last.timestamp !== time) {
    throw new ChainError('RPC_ANSWER_INVALID', {
      observer: observer.id,
      method: 'eth_simulateV1',
      problem: 'not simulated at the time asked for',
    });
  }
  if (call.status === '0x1') {
    return {
      kind: 'ok',
      gasUsed: call.gasUsed,
      effects: { status: 'success', returnData: call.returnData, ...effectsOfTracedLogs(call.logs) },
    };
  }
  return { kind: 'reverted', data: call.returnData === '0x' ? (call.error?.data ?? '0x') : call.returnData };
}

/** The execution at a head by `eth_call`, which tells neither logs nor balances; `gas` is asked for once it succeeded. */
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
