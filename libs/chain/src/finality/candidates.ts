import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import type { BlockRef } from '../reads/block-ref.js';
import type { ChainTransaction } from '../reads/get-transaction.js';
import type { LaunchTarget } from './launch-target.js';
import type { Candidate, L2FinalityObserver, Poll, Pair, Sighting } from './ports.types.js';

/** Looks up a hash at both observers. A hint is treated like any other hash and has no other effect. */
export async function lookUp(poll: Poll, hash: Hex): Promise<Candidate> {
  const [first, second] = await both(poll.l2, (observer) => observer.transaction(hash));
  return {
    hash,
    sightings: [sighting(first, poll.target), sighting(second, poll.target)],
    authentic:
      poll.target.transaction !== null &&
      [first, second].some(
        (answer) => sighting(answer, poll.target) === 'exact' && answer !== 'no-answer' && answer?.authentic === true,
      ),
  };
}

/**
 * Finds hashes by the stamp's logs at the router once either observer reports that the permit's nonce is spent or that
 * the component exists; no log can exist earlier. One observer suffices, because a candidate asserts nothing.
 */
export async function discover(poll: Poll): Promise<Hex[]> {
  const spent = await both(poll.l2, (observer) => isDone(observer, poll.target, 'latest'));
  if (!spent.includes(true)) return [];
  const found = await both(poll.l2, (observer) => observer.stampTransactions(poll.target));
  return [...new Set(found.flatMap((hashes): Hex[] => (hashes === 'no-answer' ? [] : hashes.slice(0, 4))))];
}

/** Checks whether the effect of the transaction exists: the permit's nonce is spent, or the component has code. */
export async function isDone(observer: L2FinalityObserver, target: LaunchTarget, at: BlockRef): Promise<boolean> {
  if (target.provenBy !== 'code') return observer.nonceUsed(target, at);
  const block = await observer.header(at);
  return block !== null && (await observer.codeHash(target.component.account, block.hash)) !== null;
}

/**
 * Compares a transaction with the stored hand-off, field by field: sender, receiver, value, input and chain (finality
 * rule, included). For a wallet's own transaction only the chain is known in advance.
 */
export function isExact(transaction: ChainTransaction, target: LaunchTarget): boolean {
  const wanted = target.transaction;
  return (
    (wanted === null ||
      (transaction.from === wanted.from &&
        transaction.to === wanted.to &&
        transaction.value === wanted.value &&
        transaction.input === wanted.data)) &&
    transaction.chainId === target.chainId &&
    transaction.authentic !== false
  );
}

function sighting(answer: ChainTransaction | null | 'no-answer', target: LaunchTarget): Sighting {
  if (answer === 'no-answer') return 'no-answer';
  if (answer === null) return 'absent';
  return isExact(answer, target) ? 'exact' : 'foreign';
}

async function both<T>(
  pair: Pair<L2FinalityObserver>,
  read: (observer: L2FinalityObserver) => Promise<T>,
): Promise<[T | 'no-answer', T | 'no-answer']> {
  const orNoAnswer = async (observer: L2FinalityObserver): Promise<T | 'no-answer'> => {
    try {
      return await read(observer);
    } catch (error) {
      if (error instanceof ChainError) return 'no-answer';
      throw error;
    }
  };
  return Promise.all([orNoAnswer(pair[0]), orNoAnswer(pair[1])]);
}
