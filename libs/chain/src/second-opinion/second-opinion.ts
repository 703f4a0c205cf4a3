import { canonicalJsonText } from '@launch/contracts/json';
import { ChainError } from '../chain.error.js';
import type { SimulatedExecution, SimulatedTransaction } from '../actions/simulate-transaction.js';
import { comparableEffects, type SimulatedEffects } from '../actions/simulated-effects.js';
import type { ObserverPair } from '../rpc/observer.js';
import { executeLocally } from './execute-locally.js';
import type { ReadLimits } from './observed.state.js';

export type SecondOpinionVerdict =
  | { readonly kind: 'agrees' }
  /** The executors differ, or the state could not be read: no statement, to be tried again. */
  | { readonly kind: 'indeterminate'; readonly reason: string };

export type SecondOpinion = (transaction: SimulatedTransaction, execution: SimulatedExecution) => Promise<SecondOpinionVerdict>;

const PARTS = ['status', 'returnData', 'logs', 'nativeDeltas'] as const;
const NAMES: Readonly<Record<(typeof PARTS)[number], string>> = { status: 'status', returnData: 'return data', logs: 'logs', nativeDeltas: 'balance changes' };

type Executed = { readonly id: string } & ({ readonly local: SimulatedEffects } | { readonly failure: string });

/** What a provider says of an execution; of a revert nothing but its data is left. */
const saidOf = (execution: SimulatedExecution): SimulatedEffects =>
  execution.kind === 'ok' ? execution.effects : { status: 'reverted', returnData: execution.data, logs: null, nativeDeltas: null };

/** The first part of which both speak and say different things. */
function difference(one: SimulatedEffects, other: SimulatedEffects): string | null {
  const [left, right] = [comparableEffects(one), comparableEffects(other)];
  const part = PARTS.find((name) => left[name] !== null && right[name] !== null && canonicalJsonText(left[name]) !== canonicalJsonText(right[name]));
  return part === undefined ? null : NAMES[part];
}

/**
 * The same transaction executed again in this process, by an EVM of another make, over the state each observer
 * serves: status, return data, logs and balance changes must equal what the providers' simulation said, or there is
 * no verdict, of a revert as of a success. Where providers have no `eth_simulateV1`, logs and balance changes are
 * held against each other, over the one's state and the other's. The state itself is the observers' word.
 */
export function createSecondOpinion(l2: ObserverPair, limits?: ReadLimits): SecondOpinion {
  return async (transaction, execution) => {
    // Side by side: an execution is hundreds of reads, one after the other.
    const executed = await Promise.all(
      l2.map(async (observer): Promise<Executed> => {
        try {
          return { id: observer.id, local: await executeLocally(observer, transaction, execution.block, execution.time, limits) };
        } catch (error) {
          if (error instanceof ChainError) return { id: observer.id, failure: error.code };
          throw error;
        }
      }),
    );
    let earlier = saidOf(execution);
    for (const one of executed) {
      if ('failure' in one) return { kind: 'indeterminate', reason: `second executor: ${one.id} ${one.failure}` };
      const part = difference(earlier, one.local);
      if (part !== null) return { kind: 'indeterminate', reason: `second executor over ${one.id}: ${part} differ` };
      earlier = one.local;
    }
    return { kind: 'agrees' };
  };
}
