import { createClient, http, type Hex } from 'viem';
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
  readonly originCommitment: string;
  /** @throws ChainError */
  request(method: string, params: readonly unknown[]): Promise<Raw>;
}

/** Both providers of one chain. Nothing is a fact that only one of them says. */
export type ObserverPair = readonly [RpcObserver, RpcObserver];

/**
 * A viem client for one endpoint: no cache, no batching, no retry (a caller that polls
 * asks again; one that does not must see the failure), bounded in time and both sizes.
 */
export function createObserver(
  endpoint: ObserverEndpoint,
  chainId: number,
  limits: RpcLimits = DEFAULT_RPC_LIMITS,
): RpcObserver {
  const client = createClient({
    cacheTime: 0,
    transport: http(endpoint.url, {
      retryCount: 0,
      timeout: limits.timeoutMs,
      maxResponseBodySize: limits.answerBytes,
      fetchFn: boundedFetch(limits),
    }),
  });
  const send = client.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;
  return {
    id: endpoint.id,
    chainId,
    originCommitment: endpoint.originCommitment,
    async request(method, params) {
      const call = { observer: endpoint.id, method };
      const bytes = Buffer.byteLength(JSON.stringify(params));
      if (bytes > limits.requestBytes)
        throw new ChainError('RPC_REQUEST_TOO_LARGE', { ...call, bytes, limit: limits.requestBytes });
      try {
        return await send({ method, params });
      } catch (error) {
        throw chainErrorFrom(error, call, limits);
      }
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
