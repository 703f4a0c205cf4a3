import type { Hex } from 'viem';
import type { StateOverrides } from '../reads/eth-call.js';
import type { ObserverPair } from '../rpc/observer.js';
import {
  executeByCall,
  executeOnProviders,
  type SimulatedBlock,
  type SimulatedTransaction,
} from './provider-execution.js';
import type { SimulatedEffects } from './simulated-effects.js';

/** An execution over overridden state that the observers agree on. It has no gas: nobody will ever send it. */
export type RehearsedExecution =
  | { readonly kind: 'ok'; readonly effects: SimulatedEffects }
  | { readonly kind: 'reverted'; readonly data: Hex }
  | { readonly kind: 'indeterminate'; readonly reason: string };

/**
 * Executes a transaction that could not be sent over state in which it counts, in the block `at`, on both observers.
 * Uses `eth_simulateV1` with state overrides or, where one of them lacks it, `eth_call` with the same.
 */
export async function rehearseTransaction(
  l2: ObserverPair,
  transaction: SimulatedTransaction,
  at: SimulatedBlock,
  overrides: StateOverrides,
): Promise<RehearsedExecution> {
  const outcome = await executeOnProviders(
    l2,
    transaction,
    at,
    (observer, head) => executeByCall(observer, transaction, head, async () => null, overrides),
    overrides,
  );
  if (outcome.kind === 'indeterminate') return outcome;
  const { value } = outcome;
  return value.kind === 'ok' ? { kind: 'ok', effects: value.effects } : value;
}
