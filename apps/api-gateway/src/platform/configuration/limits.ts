import { COMPILE_BUDGET_SECONDS } from '@launch/contracts/primitives';

/** Bounds that are not quotas. */
export interface GatewayLimits {
  /** Creates of one lineage judged at once, in all gateways. */
  readonly concurrentCreates: number;
  /** Preflights of one lineage running at once, in all gateways. */
  readonly concurrentPreflights: number;
  /** Launches of one lineage that may be open. */
  readonly unfinishedLaunches: number;
  /** Bytes of bodies held at once by a process; a sender holds a quarter of them at most. */
  readonly bodiesInFlightBytes: number;
  /** Processor time of a request's compilation, as admission has it; published. */
  readonly compileBudgetSeconds: number;
  /** How long a preflight is waited for. */
  readonly preflightMs: number;
  /** Open connections of a listener. */
  readonly connections: number;
  /** Those of one address, where no proxy is trusted. */
  readonly connectionsOfAddress: number;
  /** How long a body may take to arrive. */
  readonly bodyTimeoutMs: number;
  /** How long the count that all gateways share of an address is waited for. */
  readonly sharedCountMs: number;
  /** Proxies in front of this process whose `X-Forwarded-For` names the client; 0 believes nobody. */
  readonly trustedProxies: number;
  /** Free bytes of the blobs' file system below which nothing new is stored. */
  readonly blobMinFreeBytes: number;
  /** How long the bytes of requests are kept that ended without a hand-off. */
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
