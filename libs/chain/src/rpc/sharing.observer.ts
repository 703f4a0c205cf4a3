import { ChainError } from '../chain.error.js';
import { SharedAnswers } from './bounded.memory.js';
import type { ObserverPair, Raw, RpcObserver } from './observer.js';

/** Requests for blocks by number, and for the chain ID, which many readers of one chain repeat. */
const SHARED = new Set(['eth_chainId', 'eth_getBlockByNumber']);
/** Bounds the cached answers; one takes a header and the hashes of a block's transactions. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const ANSWER_BYTES = 8 * 1024;
/** Longer batches are not shared, because no two readers send the same one. */
const MAX_SHARED_BATCH = 64;

/**
 * Wraps an observer so that equal requests share one answer: a later caller receives the first answer, or waits for it.
 * A failed request is sent again. Created for one poll of a chain and dropped with it, so that no answer is older than
 * the poll.
 */
export function sharingObserver(observer: RpcObserver): RpcObserver {
  const shared = new SharedAnswers(MAX_KEPT_BYTES);
  const { requestMany } = observer;
  return {
    id: observer.id,
    chainId: observer.chainId,
    originCommitment: observer.originCommitment,
    request(method, params, answerBytes) {
      const question = (): Promise<Raw> => observer.request(method, params, answerBytes);
      return SHARED.has(method)
        ? shared.once(JSON.stringify([method, params]), question, () => ANSWER_BYTES)
        : question();
    },
    ...(requestMany === undefined
      ? {}
      : {
          requestMany(method, questions) {
            const question = (): Promise<readonly (Raw | ChainError)[]> =>
              requestMany.call(observer, method, questions);
            if (!SHARED.has(method) || questions.length > MAX_SHARED_BATCH) return question();
            // One request of a batch may fail alone.
            return shared.once(JSON.stringify([method, 'many', questions]), question, (answers) =>
              answers.some((answer) => answer instanceof ChainError) ? null : answers.length * ANSWER_BYTES,
            );
          },
        }),
  };
}

export const sharingPair = ([one, other]: ObserverPair): ObserverPair => [sharingObserver(one), sharingObserver(other)];
