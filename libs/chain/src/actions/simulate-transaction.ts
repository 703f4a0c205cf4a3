import type { Hex } from 'viem';
import type { Indeterminate } from '../agreement/agreement.js';
import { callParameter } from '../reads/eth-call.js';
import { ask, rpcQuantity } from '../rpc/rpc-answers.schema.js';
import { quantity, type ObserverPair } from '../rpc/observer.js';
import { balanceAgreed } from './agreed-reads.js';
import {
  executeByCall,
  executeOnProviders,
  simulatedBlock,
  type SimulatedBlock,
  type SimulatedTransaction,
  type TimeWindow,
} from './provider-execution.js';
import type { SimulatedEffects } from './simulated-effects.js';

/** An execution that the observers agree on. It may be a revert, whose return data is the reason. */
export type SimulatedExecution = SimulatedBlock &
  (
    | { readonly kind: 'ok'; readonly gasUsed: bigint; readonly effects: SimulatedEffects }
    | { readonly kind: 'reverted'; readonly data: Hex }
  );

/** The place of a simulation, or the reason why there is none. */
export type SimulationPlace =
  | ({ readonly kind: 'block' } & SimulatedBlock)
  /** The sender cannot pay the value. The caller retries; the launch has not failed. */
  | { readonly kind: 'insufficient-funds'; readonly balance: bigint }
  /** No later block can be inside the window. */
  | { readonly kind: 'window-passed' }
  | { readonly kind: 'indeterminate'; readonly reason: string };

export type SimulationOutcome = SimulatedExecution | Exclude<SimulationPlace, { readonly kind: 'block' }>;

/**
 * Selects the block that a transaction would be in next, on the observers' common head and inside its window, if the
 * sender can pay.
 */
export async function simulationPlace(
  l2: ObserverPair,
  transaction: SimulatedTransaction,
  window: TimeWindow,
): Promise<SimulationPlace> {
  const at = await simulatedBlock(l2, window);
  if (at.kind !== 'block') return at;
  const balance = await balanceAgreed(l2, transaction.from, at.block);
  if (balance.kind === 'indeterminate') return balance;
  return balance.value < transaction.value ? { kind: 'insufficient-funds', balance: balance.value } : at;
}

/**
 * Executes exact transactions one after the other in that block by `eth_simulateV1`, as a wallet would send a plan's
 * batch. Both observers must reach the same verdict on each, up to the first that reverts.
 */
export async function simulateAllAt(
  l2: ObserverPair,
  transactions: readonly SimulatedTransaction[],
  { block, time }: SimulatedBlock,
): Promise<{ readonly kind: 'executed'; readonly executions: readonly SimulatedExecution[] } | Indeterminate> {
  const outcome = await executeOnProviders(l2, transactions, { block, time }, (observer, transaction, head) =>
    executeByCall(observer, transaction, head, () =>
      ask(observer, 'eth_estimateGas', [callParameter(transaction), quantity(head.number)], rpcQuantity),
    ),
  );
  if (outcome.kind === 'indeterminate') return outcome;
  return { kind: 'executed', executions: outcome.value.map((value) => ({ ...value, block, time })) };
}

/**
 * Executes the exact transaction in that block by `eth_simulateV1`. If an observer lacks it, both execute `eth_call`
 * and `eth_estimateGas` at the head, which requires the window to be open there already. Both observers must reach the
 * same verdict.
 */
export async function simulateAt(
  l2: ObserverPair,
  transaction: SimulatedTransaction,
  at: SimulatedBlock,
): Promise<SimulatedExecution | Indeterminate> {
  const outcome = await simulateAllAt(l2, [transaction], at);
  return outcome.kind === 'indeterminate' ? outcome : outcome.executions[0]!;
}

/** Selects the place, then executes the transaction there. */
export async function simulateTransaction(
  l2: ObserverPair,
  transaction: SimulatedTransaction,
  window: TimeWindow,
): Promise<SimulationOutcome> {
  const place = await simulationPlace(l2, transaction, window);
  return place.kind === 'block' ? simulateAt(l2, transaction, place) : place;
}
