import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import type { BlockRef } from '../reads/block-ref.js';
import type { ChainTransaction } from '../reads/get-transaction.js';
import type { LaunchTarget } from './launch-target.js';
import type { Candidate, L2FinalityObserver, Look, Pair, Sighting } from './ports.types.js';

/** Looks a hash up at both observers. A hint is tried like any other hash and has no other effect. */
export async function lookUp(look: Look, hash: Hex): Promise<Candidate> {
  const [first, second] = await both(look.l2, (observer) => observer.transaction(hash));
  return {
    hash,
    sightings: [sighting(first, look.target), sighting(second, look.target)],
    authentic:
      look.target.transaction !== null &&
      [first, second].some(
        (answer) => sighting(answer, look.target) === 'exact' && answer !== 'no-answer' && answer?.authentic === true,
      ),
  };
}

/**
 * Hashes found by the stamp's logs at the router, once either observer says that the
 * permit's nonce is spent, or that the component stands: before that no log can exist. One observer is enough to
 * make a candidate, since a candidate asserts nothing.
 */
export async function discover(look: Look): Promise<Hex[]> {
  const spent = await both(look.l2, (observer) => isDone(observer, look.target, 'latest'));
  if (!spent.includes(true)) return [];
  const found = await both(look.l2, (observer) => observer.stampTransactions(look.target));
  return [...new Set(found.flatMap((hashes): Hex[] => (hashes === 'no-answer' ? [] : hashes.slice(0, 4))))];
}

/** Whether what the transaction does was done by somebody: the permit's nonce is spent, or the component stands. */
export async function isDone(observer: L2FinalityObserver, target: LaunchTarget, at: BlockRef): Promise<boolean> {
  if (target.provenBy !== 'code') return observer.nonceUsed(target, at);
  const block = await observer.header(at);
  return block !== null && (await observer.codeHash(target.component.account, block.hash)) !== null;
}

/**
 * The stored hand-off, field by field: sender, receiver, value, input and chain (finality rule, included). Of a wallet's
 * own transaction nothing is known beforehand but its chain.
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
