import { ChainError } from '../chain.error.js';
import type { RpcObserver } from './observer.js';

/** One request and its outcome: the raw material of an evidence bundle. */
export interface RpcExchange {
  readonly observer: string;
  readonly chainId: number;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly at: string;
  readonly answer: { readonly result: unknown } | { readonly error: string };
}

/** Wraps an observer and records every exchange. */
export function recordingObserver(
  observer: RpcObserver,
  record: (exchange: RpcExchange) => void,
  now: () => number,
): RpcObserver {
  return {
    id: observer.id,
    chainId: observer.chainId,
    originCommitment: observer.originCommitment,
    async request(method, params, answerBytes) {
      const asked = {
        observer: observer.id,
        chainId: observer.chainId,
        method,
        params,
        at: new Date(now()).toISOString(),
      };
      try {
        const result = await observer.request(method, params, answerBytes);
        record({ ...asked, answer: { result } });
        return result;
      } catch (error) {
        record({ ...asked, answer: { error: error instanceof ChainError ? error.code : 'UNKNOWN' } });
        throw error;
      }
    },
  };
}
