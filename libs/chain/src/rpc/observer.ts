import { createClient, http, RpcRequestError, type Hex } from 'viem';
import { getHttpRpcClient } from 'viem/utils';
import { z } from 'zod';
import { ChainError } from '../chain.error.js';
import { boundedFetch } from './bounded.fetch.js';
import { chainErrorFrom } from './rpc-failure.js';
import type { ObserverEndpoint } from './observer-urls.config.js';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from './rpc-limits.js';

/** What an endpoint said, before any schema saw it. */
export type Raw = unknown;

/** One provider's view of one chain. Answers are raw: a reader parses them before use. */
export interface RpcObserver {
  readonly id: string;
  readonly chainId: number;
  readonly originCommitment: Hex;
  /** @param answerBytes bounds this answer below the observer's own limit. @throws ChainError */
  request(method: string, params: readonly unknown[], answerBytes?: number): Promise<Raw>;
  /**
   * Asks the same of many parameters in one exchange; what each came to, in their order. Absent where nothing batches.
   * @throws ChainError when the batch as a whole has no answer, as from a provider that takes none.
   */
  requestMany?(method: string, questions: readonly (readonly unknown[])[]): Promise<readonly (Raw | ChainError)[]>;
}

/** Answers of a batch come in any order; a question without exactly one is none. */
const batchSchema = z.array(
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
);

/** Both providers of one chain. Nothing is a fact that only one of them says. */
export type ObserverPair = readonly [RpcObserver, RpcObserver];

/**
 * A viem client for one endpoint: no cache, no batching of its own, no retry, bounded in time and both sizes. A caller
 * that polls asks again; one that does not must see the failure.
 */
export function createObserver(
  endpoint: ObserverEndpoint,
  chainId: number,
  limits: RpcLimits = DEFAULT_RPC_LIMITS,
): RpcObserver {
  const exchangeWithin = (answerBytes: number) =>
    ({
      timeout: limits.timeoutMs,
      // Bounded where it is read.
      maxResponseBodySize: false,
      // It answers what viem reads of a response.
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
        return await (smaller.get(answerBytes) ?? send)({ method, params });
      } catch (error) {
        throw chainErrorFrom(error, call, isSmaller ? { ...limits, answerBytes } : limits);
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
      } catch (error) {
        throw chainErrorFrom(error, call, limits);
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

/** Both observers of a chain from a parsed `RPC_*_URLS`. */
export const createObserverPair = (
  endpoints: readonly [ObserverEndpoint, ObserverEndpoint],
  chainId: number,
  limits: RpcLimits = DEFAULT_RPC_LIMITS,
): ObserverPair => [createObserver(endpoints[0], chainId, limits), createObserver(endpoints[1], chainId, limits)];

/** JSON-RPC quantity of an integer. */
export const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
