import { COMPILE_BUDGET_SECONDS } from '@launch/contracts/primitives';

/** Bounds that are not quotas. */
export interface GatewayLimits {
  /** Creates of one lineage that all gateways judge at once, at most. */
  readonly concurrentCreates: number;
  /** Preflights of one lineage that all gateways run at once, at most. */
  readonly concurrentPreflights: number;
  /** Open launches of one lineage, at most. */
  readonly unfinishedLaunches: number;
  /** Bytes of request bodies that a process holds at once, at most; one sender holds at most a quarter of them. */
  readonly bodiesInFlightBytes: number;
  /** Processor time for the compilation of one request, as admission bounds it; published. */
  readonly compileBudgetSeconds: number;
  /** Timeout of a preflight. */
  readonly preflightMs: number;
  /** Open connections of one listener, at most. */
  readonly connections: number;
  /** Open connections from one address, at most, where no proxy is trusted. */
  readonly connectionsOfAddress: number;
  /** Timeout for a request body to arrive. */
  readonly bodyTimeoutMs: number;
  /** Timeout for reading the count of an address that all gateways share. */
  readonly sharedCountMs: number;
  /** Proxies in front of this process whose `X-Forwarded-For` names the client; 0 trusts no proxy. */
  readonly trustedProxies: number;
  /** Free bytes on the file system of the blobs below which the gateway stores nothing new. */
  readonly blobMinFreeBytes: number;
  /** Days for which the gateway keeps the bytes of a request that ended without a hand-off. */
  readonly refusedRequestDays: number;
}

export const DEFAULT_LIMITS: GatewayLimits = {
  concurrentCreates: 2,
  concurrentPreflights: 2,
  unfinishedLaunches: 50,
  bodiesInFlightBytes: 512 * 1024 * 1024,
  compileBudgetSeconds: COMPILE_BUDGET_SECONDS,
  preflightMs: 50_000,
  connections: 8_192,
  connectionsOfAddress: 512,
  bodyTimeoutMs: 30_000,
  sharedCountMs: 500,
  trustedProxies: 0,
  blobMinFreeBytes: 5 * 1024 ** 3,
  refusedRequestDays: 90,
};
