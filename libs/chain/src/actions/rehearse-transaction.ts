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

/** One execution over overridden state. It has no gas because the transaction will never be sent. */
export type RehearsedCall =
  | { readonly kind: 'ok'; readonly effects: SimulatedEffects }
  | { readonly kind: 'reverted'; readonly data: Hex };

/** An execution over overridden state that the observers agree on. */
export type RehearsedExecution = RehearsedCall | { readonly kind: 'indeterminate'; readonly reason: string };

/**
 * Executes transactions that cannot be sent, one after the other in the block `at`, over state that makes them valid.
 * Both observers must agree on each, up to the first that reverts. Uses `eth_simulateV1` with state overrides. If an
 * observer lacks it, executes a single transaction by `eth_call` with the same overrides, and refuses several.
 */
export async function rehearseTransactions(
  l2: ObserverPair,
  transactions: readonly SimulatedTransaction[],
  at: SimulatedBlock,
  overrides: StateOverrides,
): Promise<
  | { readonly kind: 'executed'; readonly executions: readonly RehearsedCall[] }
  | { readonly kind: 'indeterminate'; readonly reason: string }
> {
  const outcome = await executeOnProviders(
    l2,
    transactions,
    at,
    (observer, transaction, head) => executeByCall(observer, transaction, head, async () => null, overrides),
    overrides,
  );
  if (outcome.kind === 'indeterminate') return outcome;
  return {
    kind: 'executed',
    executions: outcome.value.map((value) => (value.kind === 'ok' ? { kind: 'ok', effects: value.effects } : value)),
  };
}

/** Rehearses one transaction. */
export async function rehearseTransaction(
  l2: ObserverPair,
  transaction: SimulatedTransaction,
  at: SimulatedBlock,
  overrides: StateOverrides,
): Promise<RehearsedExecution> {
  const outcome = await rehearseTransactions(l2, [transaction], at, overrides);
  return outcome.kind === 'indeterminate' ? outcome : outcome.executions[0]!;
}
