import { canonicalJsonText } from '@launch/contracts/json';
import { canonicalSha256, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { ChainError } from '../chain.error.js';

/** The observer, the time, and the SHA-256 of the canonical JSON of its answer. */
export interface ObserverNote {
  readonly id: string;
  readonly observedAt: string;
  readonly responseSha256: Sha256Digest;
}

/**
 * Three-valued truth over two providers: a value that both returned, or no statement. A timeout, an error, an empty
 * answer and a difference all count as no statement.
 */
export type Agreement<T> =
  | { readonly kind: 'agreed'; readonly value: T; readonly observers: readonly [ObserverNote, ObserverNote] }
  | Indeterminate;
export interface Indeterminate {
  readonly kind: 'indeterminate';
  readonly reason: string;
}

export const indeterminate = (reason: string): Indeterminate => ({
  kind: 'indeterminate',
  reason: reason.slice(0, 256),
});

/**
 * Queries both observers at once and compares canonical forms.
 * @param what Names the question in the reason, in the rule's terms.
 * @param compare Selects the part of an answer that must be equal; defaults to the whole answer.
 */
export async function agree<O extends { readonly id: string }, T>(
  pair: readonly [O, O],
  what: string,
  read: (observer: O) => Promise<T>,
  compare: (value: T) => unknown = WHOLE,
  now: () => number = Date.now,
): Promise<Agreement<T>> {
  const [first, second] = await Promise.all(pair.map((observer) => attempt(observer, read, now)));
  if (first === undefined || second === undefined) return indeterminate(`${what}: no answer`);
  for (const answer of [first, second])
    if ('failure' in answer) return indeterminate(`${what}: ${answer.id} ${answer.failure}`);
  if (!('value' in first) || !('value' in second)) return indeterminate(`${what}: no answer`);
  const [left, right] = [canonicalText(compare(first.value)), canonicalText(compare(second.value))];
  if (left !== right) return indeterminate(`${what}: ${first.id} and ${second.id} disagree`);
  // Equal whole answers are serialized and hashed once, because thousands of logs are long.
  const shared = compare === WHOLE ? sha256Digest(new TextEncoder().encode(left)) : undefined;
  return { kind: 'agreed', value: first.value, observers: [noteOf(first, shared), noteOf(second, shared)] };
}

const WHOLE = (value: unknown): unknown => value;
const canonicalText = (value: unknown): string => canonicalJsonText(wire(value));

type Attempt<T> = { readonly id: string; readonly at: string } & ({ readonly value: T } | { readonly failure: string });

async function attempt<O extends { readonly id: string }, T>(
  observer: O,
  read: (observer: O) => Promise<T>,
  now: () => number,
): Promise<Attempt<T>> {
  try {
    const value = await read(observer);
    return { id: observer.id, at: new Date(now()).toISOString(), value };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { id: observer.id, at: new Date(now()).toISOString(), failure: error.code };
  }
}

const noteOf = <T>(
  answer: { readonly id: string; readonly at: string; readonly value: T },
  digest: Sha256Digest = canonicalSha256(wire(answer.value)),
): ObserverNote => ({
  id: answer.id,
  observedAt: answer.at,
  responseSha256: digest,
});

/** Converts a value to JSON: integers become decimal strings, absent values null. */
export function wire(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(wire);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wire(inner)]));
  return value;
}
