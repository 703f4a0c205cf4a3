import { canonicalJsonText } from '@launch/contracts/json';
import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import type { SimulatedBlock, SimulatedTransaction } from '../actions/provider-execution.js';
import { comparableEffects, type SimulatedEffects } from '../actions/simulated-effects.js';
import type { StateOverrides } from '../reads/eth-call.js';
import type { ObserverPair } from '../rpc/observer.js';
import { executeLocally } from './execute-locally.js';
import { StateReads, type ReadLimits, type StateQuestion } from './state.reads.js';

export type SecondOpinionVerdict =
  | { readonly kind: 'agrees' }
  /** The executors differ, or the state could not be read: no statement; the caller retries. */
  | { readonly kind: 'indeterminate'; readonly reason: string };

/** The agreed result of the providers, with or without its gas. */
export type ExecutionSaid =
  | { readonly kind: 'ok'; readonly effects: SimulatedEffects }
  | { readonly kind: 'reverted'; readonly data: Hex };

/** The result of each transaction over one observer's state, or the reason why there is none. */
type Executed = { readonly id: string } & (
  | { readonly local: readonly SimulatedEffects[] }
  | { readonly failure: string }
);

/** The second executor, for a caller that runs it in parallel with the providers. Transactions have one sender. */
export type SecondExecutor = (
  transactions: readonly SimulatedTransaction[],
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

/** Converts a provider's result to effects; a revert keeps only its data. */
const saidOf = (execution: ExecutionSaid): SimulatedEffects =>
  execution.kind === 'ok'
    ? execution.effects
    : { status: 'reverted', returnData: execution.data, logs: null, nativeDeltas: null };

/** Returns the first part that both report differently, with the transaction's position if there are several. */
function differences(one: readonly SimulatedEffects[], other: readonly SimulatedEffects[]): string | null {
  const places = Math.max(one.length, other.length);
  for (let place = 0; place < places; place += 1) {
    const [left, right] = [one[place], other[place]];
    // Both end with the first revert, so if one ended earlier, the statuses before it differ.
    if (left === undefined || right === undefined) return NAMES.status;
    const part = difference(left, right);
    if (part !== null) return places === 1 ? part : `${part} of transaction ${place + 1} of ${places}`;
  }
  return null;
}

function difference(one: SimulatedEffects, other: SimulatedEffects): string | null {
  const [left, right] = [comparableEffects(one), comparableEffects(other)];
  const part = PARTS.find(
    (name) =>
      left[name] !== null && right[name] !== null && canonicalJsonText(left[name]) !== canonicalJsonText(right[name]),
  );
  return part === undefined ? null : NAMES[part];
}

/** The number of launches whose reads are remembered between their rehearsal and their exact simulation. */
const REMEMBERED = 64;

/**
 * Creates an executor that runs a transaction in this process, by a different EVM, over the state that each observer
 * serves. The state itself is the observers' answer.
 *
 * An execution makes some hundred reads in sequence. The other observer receives each read as it is needed. If it
 * answers all of them alike, an execution over its state is identical; only otherwise it is executed. The reads of a
 * sender's last execution are prefetched for the next.
 */
export function createSecondExecutor(l2: ObserverPair, limits?: ReadLimits): SecondExecutor {
  const remembered = new Map<string, readonly StateQuestion[]>();
  const remember = (sender: string, needed: readonly StateQuestion[]): void => {
    remembered.delete(sender);
    remembered.set(sender, needed);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };

  return async (transactions, at, overrides) => {
    const second = new StateReads(l2[1], at.block.hash, limits);
    const first = new StateReads(l2[0], at.block.hash, limits, (question) => second.ahead([question]));
    const execute = (reads: StateReads): Promise<Executed> =>
      attempted(reads, () => executeLocally(reads, transactions, at, overrides));

    const [{ from, to } = { from: '', to: '' }] = transactions;
    const sender = `${from} ${to}`;
    const known = remembered.get(sender) ?? [];
    for (const reads of [first, second]) reads.ahead(known);
    const one = await execute(first);
    remember(sender, first.needed);
    if ('failure' in one) return [one];
    const alike = await attempted(second, () => second.answersLike(first));
    if ('failure' in alike) return [one, alike];
    return [one, alike.local ? { id: alike.id, local: one.local } : await execute(second)];
  };
}

async function attempted<T>(
  { observer }: StateReads,
  work: () => Promise<T>,
): Promise<{ readonly id: string } & ({ readonly local: T } | { readonly failure: string })> {
  try {
    return { id: observer.id, local: await work() };
  } catch (error) {
    if (error instanceof ChainError) return { id: observer.id, failure: error.code };
    throw error;
  }
}

/**
 * Compares the local executions with the providers' results: status, return data, logs and balance changes, of a revert
 * as of a success. Any difference means no verdict. If providers lack `eth_simulateV1`, logs and balance changes are
 * compared between the executions over both states.
 */
export function compareExecutions(
  executions: readonly ExecutionSaid[],
  executed: readonly Executed[],
): SecondOpinionVerdict {
  let earlier: readonly SimulatedEffects[] = executions.map(saidOf);
  for (const one of executed) {
    if ('failure' in one) return { kind: 'indeterminate', reason: `second executor: ${one.id} ${one.failure}` };
    const part = differences(earlier, one.local);
    if (part !== null) return { kind: 'indeterminate', reason: `second executor over ${one.id}: ${part} differ` };
    earlier = one.local;
  }
  return { kind: 'agrees' };
}
