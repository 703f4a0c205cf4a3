import { canonicalJsonText } from '@launch/contracts/json';
import type { Hex } from '@launch/contracts/primitives';
import { ChainError } from '../chain.error.js';
import { isTooMuch } from '../reads/log-range.js';
import type { RpcObserver } from './observer.js';
import type { RpcExchange } from './recording.observer.js';

export interface ReplayingObserver extends RpcObserver {
  /** Returns the exchanges that no request used. */
  unasked(): readonly RpcExchange[];
}

/**
 * Creates an observer that replays a recording without network: each request receives its recorded answers in their
 * order. A request that was not recorded fails.
 */
export function replayingObserver(
  identity: { readonly id: string; readonly chainId: number; readonly originCommitment: Hex },
  exchanges: readonly RpcExchange[],
): ReplayingObserver {
  const left = new Map<string, RpcExchange[]>();
  for (const exchange of exchanges) {
    if (exchange.observer !== identity.id || exchange.chainId !== identity.chainId) continue;
    const key = questionOf(exchange.method, exchange.params);
    left.set(key, [...(left.get(key) ?? []), exchange]);
  }
  return {
    ...identity,
    async request(method, params) {
      const answer = left.get(questionOf(method, params))?.shift()?.answer;
      const call = { observer: identity.id, method };
      // A query that was too large fails again, so that the caller narrows it as it did in the recording.
      if (answer !== undefined && 'error' in answer && answer.error === 'RPC_ANSWER_TOO_LARGE')
        throw new ChainError('RPC_ANSWER_TOO_LARGE', { ...call, limit: 0 });
      if (answer !== undefined && 'error' in answer && isTooMuch(answer.error))
        throw new ChainError('RPC_ANSWER_INVALID', { ...call, problem: answer.error });
      if (answer === undefined || 'error' in answer)
        throw new ChainError('RPC_UNREACHABLE', { ...call, httpStatus: null });
      return answer.result;
    },
    unasked: () => [...left.values()].flat(),
  };
}

const questionOf = (method: string, params: readonly unknown[]): string => canonicalJsonText([method, params]);
