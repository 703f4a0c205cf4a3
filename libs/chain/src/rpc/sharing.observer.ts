import { ChainError } from '../chain.error.js';
import { SharedAnswers } from './bounded.memory.js';
import type { ObserverPair, Raw, RpcObserver } from './observer.js';

/** Questions about blocks by their number, and about the chain: many readers of one chain ask the same. */
const SHARED = new Set(['eth_chainId', 'eth_getBlockByNumber']);
/** Answers that are kept, by the size of a header and the hashes of a block's transactions. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const ANSWER_BYTES = 8 * 1024;
/** Of a longer batch nobody else asks the very same. */
const MAX_SHARED_BATCH = 64;

/**
 * The same observer, asked once for what several ask: who asks it again has the first answer, or waits for it. What failed
 * is asked anew. Made for one look at a chain and dropped with it, so that no answer is older than that look.
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
            // Of a batch, one question may fail by itself.
            return shared.once(JSON.stringify([method, 'many', questions]), question, (answers) =>
              answers.some((answer) => answer instanceof ChainError) ? null : answers.length * ANSWER_BYTES,
            );
          },
        }),
  };
}

export const sharingPair = ([one, other]: ObserverPair): ObserverPair => [sharingObserver(one), sharingObserver(other)];
