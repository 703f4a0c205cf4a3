import type { Hex } from 'viem';
import { agree } from '../agreement/agreement.js';
import { callParameter } from '../reads/eth-call.js';
import { ask, rpcQuantity } from '../rpc/rpc-answers.schema.js';
import { quantity, type ObserverPair } from '../rpc/observer.js';
import {
  executeByCall,
  executeOnProviders,
  simulatedBlock,
  type SimulatedBlock,
  type SimulatedTransaction,
  type TimeWindow,
} from './provider-execution.js';
import type { SimulatedEffects } from './simulated-effects.js';

/** An execution the observers agree on; a revert is one too, and its return data is the reason. */
export type SimulatedExecution = SimulatedBlock &
  (
    | { readonly kind: 'ok'; readonly gasUsed: bigint; readonly effects: SimulatedEffects }
    | { readonly kind: 'reverted'; readonly data: Hex }
  );

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
export async function simulateTransaction(
  l2: ObserverPair,
  transaction: SimulatedTransaction,
  window: TimeWindow,
): Promise<SimulationOutcome> {
  const at = await simulatedBlock(l2, window);
  if (at.kind !== 'block') return at;
  const { block, time } = at;
  const balance = await agree(l2, 'balance', (observer) =>
    ask(observer, 'eth_getBalance', [transaction.from, quantity(block.number)], rpcQuantity),
  );
  if (balance.kind === 'indeterminate') return balance;
  if (balance.value < transaction.value) return { kind: 'insufficient-funds', balance: balance.value };

  const outcome = await executeOnProviders(l2, transaction, at, (observer, head) =>
    executeByCall(observer, transaction, head, () =>
      ask(observer, 'eth_estimateGas', [callParameter(transaction), quantity(head.number)], rpcQuantity),
    ),
  );
  return outcome.kind === 'indeterminate' ? outcome : { ...outcome.value, block, time };
}
