import { z } from 'zod';
import type { Hex } from 'viem';
import { agree, indeterminate, type Agreement } from '../agreement/agreement.js';
import { commonHead } from '../agreement/common-head.js';
import { ChainError, isChainError } from '../chain.error.js';
import { comparableEffects, effectsOfTracedLogs, simulatedLogSchema, type SimulatedEffects } from './simulated-effects.js';
import { callParameter, ethCall, type CallRequest } from '../reads/eth-call.js';
import { ask, rpcData, rpcQuantity, type BlockHeader } from '../rpc/rpc-answers.schema.js';
import { quantity, type ObserverPair, type RpcObserver } from '../rpc/observer.js';

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

/** Where a simulation stood: on top of this head, in a block of this time (unix seconds). */
interface SimulatedBlock {
  readonly block: BlockHeader;
  readonly time: bigint;
}

/** An execution the observers agree on; a revert is one too, and its return data is the reason. */
export type SimulatedExecution = SimulatedBlock &
  ({ readonly kind: 'ok'; readonly gasUsed: bigint; readonly effects: SimulatedEffects } | { readonly kind: 'reverted'; readonly data: Hex });

export type SimulationOutcome =
  | SimulatedExecution
  /** The sender cannot pay the value: to be tried again, not a failure of the launch. */
  | { readonly kind: 'insufficient-funds'; readonly balance: bigint }
  /** No block of the window can follow the head any more. */
  | { readonly kind: 'window-passed' }
  | { readonly kind: 'indeterminate'; readonly reason: string };

/**
 * Executes the exact transaction on top of the observers' common head, at a block time
 * inside the permit window (`eth_simulateV1`; where an observer lacks it, `eth_call` and
 * `eth_estimateGas` at the head by both, which needs the window to be open there already).
 * Both observers must come to the same verdict.
 */
export async function simulateTransaction(l2: ObserverPair, transaction: SimulatedTransaction, window: TimeWindow): Promise<SimulationOutcome> {
  const head = await commonHead(l2);
  if (head.kind === 'indeterminate') return head;
  const block = head.value;
  if (block.timestamp >= window.deadline) return { kind: 'window-passed' };
  const balance = await agree(l2, 'balance', (observer) =>
    ask(observer, 'eth_getBalance', [transaction.from, quantity(block.number)], rpcQuantity),
  );
  if (balance.kind === 'indeterminate') return balance;
  if (balance.value < transaction.value) return { kind: 'insufficient-funds', balance: balance.value };

  const time = block.timestamp + 1n > window.validAfter ? block.timestamp + 1n : window.validAfter;
  const outcome = await simulateOnBoth(l2, transaction, block, time);
  return outcome.kind === 'indeterminate' ? outcome : { ...outcome.value, block, time };
}

type OneOutcome = { readonly kind: 'ok'; readonly gasUsed: bigint; readonly effects: SimulatedEffects } | { readonly kind: 'reverted'; readonly data: Hex };

/** Both in the same way: what one of them cannot say, neither is asked. */
async function simulateOnBoth(l2: ObserverPair, transaction: SimulatedTransaction, block: BlockHeader, time: bigint): Promise<Agreement<OneOutcome>> {
  // Gas may differ by a client's accounting; the verdict, the effects and a revert's data may not.
  const comparable = (result: OneOutcome): unknown => (result.kind === 'ok' ? comparableEffects(result.effects) : result);
  let missing = false;
  const simulated = await agree(
    l2,
    'simulation',
    async (observer) => {
      try {
        return await simulateV1(observer, transaction, block, time);
      } catch (error) {
        missing ||= isChainError(error, 'RPC_METHOD_MISSING');
        throw error;
      }
    },
    comparable,
  );
  if (!missing) return simulated;
  if (time > block.timestamp + 1n) return indeterminate('simulation: the window is not open at the head and eth_simulateV1 is missing');
  return agree(l2, 'simulation by eth_call', (observer) => callAndEstimate(observer, transaction, block), comparable);
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

async function simulateV1(observer: RpcObserver, transaction: SimulatedTransaction, head: BlockHeader, time: bigint): Promise<OneOutcome> {
  const payload = {
    blockStateCalls: [{ blockOverrides: { time: quantity(time) }, calls: [callParameter(transaction)] }],
    validation: false,
    traceTransfers: true,
  };
  const blocks = await ask(observer, 'eth_simulateV1', [payload, quantity(head.number)], simulationSchema);
  const last = blocks.at(-1);
  const call = last?.calls[0];
  if (last === undefined || call === undefined || last.timestamp !== time) {
    throw new ChainError('RPC_ANSWER_INVALID', { observer: observer.id, method: 'eth_simulateV1', problem: 'not simulated at the time asked for' });
  }
  if (call.status === '0x1') {
    return { kind: 'ok', gasUsed: call.gasUsed, effects: { status: 'success', returnData: call.returnData, ...effectsOfTracedLogs(call.logs) } };
  }
  return { kind: 'reverted', data: call.returnData === '0x' ? (call.error?.data ?? '0x') : call.returnData };
}

async function callAndEstimate(observer: RpcObserver, transaction: CallRequest, head: BlockHeader): Promise<OneOutcome> {
  try {
    const returnData = await ethCall(observer, transaction, head.number);
    const gasUsed = await ask(observer, 'eth_estimateGas', [callParameter(transaction), quantity(head.number)], rpcQuantity);
    return { kind: 'ok', gasUsed, effects: { status: 'success', returnData, logs: null, nativeDeltas: null } };
  } catch (error) {
    if (isChainError(error, 'RPC_REVERTED')) return { kind: 'reverted', data: error.data.data };
    throw error;
  }
}
