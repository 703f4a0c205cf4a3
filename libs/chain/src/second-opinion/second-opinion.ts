import { canonicalJsonText } from '@launch/contracts/json';
import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import type { SimulatedBlock, SimulatedTransaction } from '../actions/provider-execution.js';
import { comparableEffects, type SimulatedEffects } from '../actions/simulated-effects.js';
import type { StateOverrides } from '../reads/eth-call.js';
import type { ObserverPair } from '../rpc/observer.js';
import { executeLocally } from './execute-locally.js';
import type { ReadLimits } from './observed.state.js';

export type SecondOpinionVerdict =
  | { readonly kind: 'agrees' }
  /** The executors differ, or the state could not be read: no statement, to be tried again. */
  | { readonly kind: 'indeterminate'; readonly reason: string };

/** What the providers agreed on, with or without its gas. */
export type ExecutionSaid =
  | { readonly kind: 'ok'; readonly effects: SimulatedEffects }
  | { readonly kind: 'reverted'; readonly data: Hex };

export type SecondOpinion = (
  transaction: SimulatedTransaction,
  execution: ExecutionSaid & SimulatedBlock,
) => Promise<SecondOpinionVerdict>;

/** One observer's state, executed over: what came of it, or why nothing did. */
type Executed = { readonly id: string } & ({ readonly local: SimulatedEffects } | { readonly failure: string });

/** The second executor by itself, for a caller that has it work while the providers do. */
export type SecondExecutor = (
  transaction: SimulatedTransaction,
  at: SimulatedBlock,
  overrides?: StateOverrides,
) => Promise<readonly Executed[]>;

const PARTS = ['status', 'returnData', 'logs', 'nativeDeltas'] as const;
const NAMES: Readonly<Record<(typeof PARTS)[number], string>> = {
  status: 'status',
  returnData: 'return data',
  logs: 'logs',
  nativeDeltas: 'balance changes',
};

/** What a provider says of an execution; of a revert nothing but its data is left. */
const saidOf = (execution: ExecutionSaid): SimulatedEffects =>
  execution.kind === 'ok'
    ? execution.effects
    : { status: 'reverted', returnData: execution.data, logs: null, nativeDeltas: null };

/** The first part of which both speak and say different things. */
function difference(one: SimulatedEffects, other: SimulatedEffects): string | null {
  const [left, right] = [comparableEffects(one), comparableEffects(other)];
  const part = PARTS.find(
    (name) =>
      left[name] !== null && right[name] !== null && canonicalJsonText(left[name]) !== canonicalJsonText(right[name]),
  );
  return part === undefined ? null : NAMES[part];
}

/** A transaction executed in this process, by an EVM of another make, over the state that each observer serves. */
export function createSecondExecutor(l2: ObserverPair, limits?: ReadLimits): SecondExecutor {
  // Side by side: an execution is hundreds of reads, one after the other.
  return (transaction, at, overrides) =>
    Promise.all(
      l2.map(async (observer): Promise<Executed> => {
        try {
          return { id: observer.id, local: await executeLocally(observer, transaction, at, limits, overrides) };
        } catch (error) {
          if (error instanceof ChainError) return { id: observer.id, failure: error.code };
          throw error;
        }
      }),
    );
}

/**
 * Whether what was executed here equals what the providers said: status, return data, logs and balance changes, of a
 * revert as of a success. Where providers have no `eth_simulateV1`, logs and balance changes are held against each
 * other, over the one's state and the other's.
 */
export function compareExecutions(execution: ExecutionSaid, executed: readonly Executed[]): SecondOpinionVerdict {
  let earlier = saidOf(execution);
  for (const one of executed) {
    if ('failure' in one) return { kind: 'indeterminate', reason: `second executor: ${one.id} ${one.failure}` };
    const part = difference(earlier, one.local);
    if (part !== null) return { kind: 'indeterminate', reason: `second executor over ${one.id}: ${part} differ` };
    earlier = one.local;
  }
  return { kind: 'agrees' };
}

/**
 * The same transaction executed again in this process and compared with what the providers' simulation said: any
 * difference, and there is no verdict. The state itself is the observers' word.
 */
export function createSecondOpinion(l2: ObserverPair, limits?: ReadLimits): SecondOpinion {
  const execute = createSecondExecutor(l2, limits);
  return async (transaction, execution) => compareExecutions(execution, await execute(transaction, execution));
}
