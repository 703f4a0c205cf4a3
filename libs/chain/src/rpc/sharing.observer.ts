import { ChainError } from '../chain.error.js';
import type { ObserverPair, Raw, RpcObserver } from './observer.js';

/** Questions about blocks by their number, and about the chain: many readers of one chain ask the same. */
const SHARED = new Set(['eth_chainId', 'eth_getBlockByNumber']);
/** Exchanges that are kept; one more begins anew. */
const MAX_KEPT = 64;
/** Of a longer batch nobody else asks the very same. */
const MAX_SHARED_BATCH = 64;

/**
 * The same observer, asked once for what several ask: who asks it again has the first answer, or waits for it. What failed
 * is asked anew. Made for one look at a chain and dropped with it, so that no answer is older than that look.
 */
export function sharingObserver(observer: RpcObserver): RpcObserver {
  const kept = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, question: () => Promise<T>): Promise<T> => {
    const known = kept.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    if (kept.size >= MAX_KEPT) kept.clear();
    const asked = question();
    kept.set(key, asked);
    const forget = (): void => {
      if (kept.get(key) === asked) kept.delete(key);
    };
    // Of a batch, one question may fail by itself.
    asked.then((answer) => {
      if (Array.isArray(answer) && answer.some((one) => one instanceof ChainError)) forget();
    }, forget);
    return asked;
  };
  const { requestMany } = observer;
  return {
    id: observer.id,
    chainId: observer.chainId,
    originCommitment: observer.originCommitment,
    request(method, params) {
      const question = (): Promise<Raw> => observer.request(method, params);
      return SHARED.has(method) ? once(JSON.stringify([method, params]), question) : question();
    },
    ...(requestMany === undefined
      ? {}
      : {
          requestMany(method, questions) {
            const question = (): Promise<readonly (Raw | ChainError)[]> =>
              requestMany.call(observer, method, questions);
            return SHARED.has(method) && questions.length <= MAX_SHARED_BATCH
              ? once(JSON.stringify([method, 'many', questions]), question)
              : question();
          },
        }),
  };
}

export const sharingPair = ([one, other]: ObserverPair): ObserverPair => [sharingObserver(one), sharingObserver(other)];
