import { createClient, http, RpcRequestError, type Hex } from 'viem';
import { getHttpRpcClient } from 'viem/utils';
import { z } from 'zod';
import { ChainError, type ChainErrorCode } from '../chain.error.js';
import { boundedFetch } from './bounded.fetch.js';
import { chainErrorFrom } from './rpc-failure.js';
import type { ObserverEndpoint } from './observer-urls.config.js';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from './rpc-limits.js';

/** An endpoint's answer before validation. */
export type Raw = unknown;

/** One provider's view of one chain. Answers are raw: a reader parses them before use. */
export interface RpcObserver {
  readonly id: string;
  readonly chainId: number;
  readonly originCommitment: Hex;
  /** @param answerBytes bounds this answer below the observer's own limit. @throws ChainError */
  request(method: string, params: readonly unknown[], answerBytes?: number): Promise<Raw>;
  /**
   * Sends one method with many parameters in one exchange, and returns each outcome in their order. Absent if the
   * observer does not batch.
   * @throws ChainError if the whole batch fails, for example because the provider accepts none.
   */
  requestMany?(method: string, questions: readonly (readonly unknown[])[]): Promise<readonly (Raw | ChainError)[]>;
}

/** One HTTP exchange with an observer; a batch is one. A revert is an outcome too: `RPC_REVERTED`. */
export interface ObserverExchange {
  readonly chainId: number;
  /** The observer's id. */
  readonly observer: string;
  readonly outcome: 'answered' | ChainErrorCode;
}
export type Exchanged = (exchange: ObserverExchange) => void;

/** Answers of a batch come in any order. A request without exactly one answer has failed. */
const batchSchema = z.array(
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
);

/** Both providers of one chain. A fact requires the agreement of both. */
export type ObserverPair = readonly [RpcObserver, RpcObserver];

/**
 * Creates a viem client for one endpoint without cache, batching or retry, bounded in time and in both sizes. A caller
 * that polls sends the request again; every other caller must see the failure.
 */
export function createObserver(
  endpoint: ObserverEndpoint,
  chainId: number,
  limits: RpcLimits = DEFAULT_RPC_LIMITS,
  exchanged: Exchanged = () => undefined,
): RpcObserver {
  const about = { chainId, observer: endpoint.id };
  const exchangeWithin = (answerBytes: number) =>
    ({
      timeout: limits.timeoutMs,
      // `boundedFetch` bounds the body.
      maxResponseBodySize: false,
      // Returns the parts of a response that viem reads.
      fetchFn: boundedFetch({ answerBytes }) as unknown as typeof fetch,
    }) as const;
  type Send = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;
  const sendWithin = (answerBytes: number): Send =>
    createClient({
      cacheTime: 0,
      transport: http(endpoint.url, { retryCount: 0, ...exchangeWithin(answerBytes) }),
    }).request as Send;
  const send = sendWithin(limits.answerBytes);
  const smaller = new Map<number, Send>();
  const batches = getHttpRpcClient(endpoint.url, exchangeWithin(limits.answerBytes));
  return {
    id: endpoint.id,
    chainId,
    originCommitment: endpoint.originCommitment,
    async request(method, params, answerBytes = limits.answerBytes) {
      const call = { observer: endpoint.id, method };
      const isSmaller = answerBytes < limits.answerBytes;
      if (isSmaller && !smaller.has(answerBytes)) smaller.set(answerBytes, sendWithin(answerBytes));
      const bytes = Buffer.byteLength(JSON.stringify(params));
      if (bytes > limits.requestBytes)
        throw new ChainError('RPC_REQUEST_TOO_LARGE', { ...call, bytes, limit: limits.requestBytes });
      try {
        const answer = await (smaller.get(answerBytes) ?? send)({ method, params });
        exchanged({ ...about, outcome: 'answered' });
        return answer;
      } catch (error) {
        const failure = chainErrorFrom(error, call, isSmaller ? { ...limits, answerBytes } : limits);
        exchanged({ ...about, outcome: failure.code });
        throw failure;
      }
    },
    async requestMany(method, questions) {
      const call = { observer: endpoint.id, method };
      const body = questions.map((params, id) => ({ id, method, params }));
      const bytes = Buffer.byteLength(JSON.stringify(body));
      if (bytes > limits.requestBytes)
        throw new ChainError('RPC_REQUEST_TOO_LARGE', { ...call, bytes, limit: limits.requestBytes });
      let answered: unknown;
      try {
        answered = await batches.request({ body });
        exchanged({ ...about, outcome: 'answered' });
      } catch (error) {
        const failure = chainErrorFrom(error, call, limits);
        exchanged({ ...about, outcome: failure.code });
        throw failure;
      }
      const answers = batchSchema.safeParse(answered);
      if (!answers.success) throw new ChainError('RPC_ANSWER_INVALID', { ...call, problem: 'no batch of answers' });
      return questions.map((_, id) => {
        const [one, another] = answers.data.filter((answer) => answer.id === id);
        if (one === undefined || another !== undefined)
          return new ChainError('RPC_ANSWER_INVALID', { ...call, problem: 'not one answer to one question' });
        if (one.error === undefined) return one.result;
        return chainErrorFrom(new RpcRequestError({ body: {}, error: one.error, url: '' }), call, limits);
      });
    },
  };
}

/** Creates both observers of a chain from a parsed `RPC_*_URLS`. */
export const createObserverPair = (
  endpoints: readonly [ObserverEndpoint, ObserverEndpoint],
  chainId: number,
  limits: RpcLimits = DEFAULT_RPC_LIMITS,
  exchanged?: Exchanged,
): ObserverPair => [
  createObserver(endpoints[0], chainId, limits, exchanged),
  createObserver(endpoints[1], chainId, limits, exchanged),
];

/** Encodes an integer as a JSON-RPC quantity. */
export const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
