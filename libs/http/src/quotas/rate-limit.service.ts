import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, type Logger, type Registry } from '@launch/platform';
import {
  AddressBuckets,
  addressKey,
  clientAddress,
  quotaHeaders,
  quotaState,
  type Quota,
  type Quotas,
  type QuotaState,
} from '@launch/platform/quotas';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api.error.js';
import { BATCHER_BOUNDS, ChargeBatcher } from './charge-batcher.js';
import { SharedAddresses } from './shared-addresses.js';
import type { SharedBuckets } from './shared-buckets.js';

export interface RateLimitParts {
  readonly quotas: Quotas;
  /** The timeout of the shared count of an address, in milliseconds. */
  readonly sharedCountMs: number;
  /** Proxies in front of this process whose `X-Forwarded-For` names the client; 0 trusts no header. */
  readonly trustedProxies: number;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/** Counts requests and refuses those over their quota; the answer shows the count. */
export class RateLimitService {
  private readonly addresses = new AddressBuckets();
  private readonly shared: ChargeBatcher;
  private readonly quotas: Quotas;
  private readonly trustedProxies: number;
  private readonly countedAlone: Counter;

  constructor(
    private readonly buckets: SharedBuckets,
    { quotas, sharedCountMs, trustedProxies, metrics, logger }: RateLimitParts,
  ) {
    this.quotas = quotas;
    this.trustedProxies = trustedProxies;
    const shared = new SharedAddresses(this.addresses, (quota, charges) => this.buckets.count(quota, charges), micros);
    this.shared = new ChargeBatcher(
      (name, charges) => shared.charge(this.quota(name), charges),
      (error) => logger.warn({ err: error }, 'addresses are counted by this process alone'),
      { ...BATCHER_BOUNDS, answerMs: sharedCountMs },
    );
    this.countedAlone = new Counter({
      name: 'launch_rate_limit_counted_alone_total',
      help: 'Anonymous requests that only this process counted, since the shared count did not answer in time.',
      labelNames: ['quota'],
      registers: [metrics],
    });
  }

  /**
   * Counts an anonymous request across all gateways. While the database does not respond, this process's own count is
   * the verdict, so that reads without the database continue. Returns at once if a slot is held.
   * @throws ApiError `RATE_LIMITED` with the seconds to wait.
   */
  chargeAddress(request: FastifyRequest, name: string = 'public'): Promise<void> | undefined {
    return this.charge(request, name, this.bucketOf(name, request.raw));
  }

  /**
   * Counts a probe of this process, separately from all other requests and without the database. @throws ApiError
   * `RATE_LIMITED`
   */
  chargeProbe(request: FastifyRequest): void {
    this.settle(
      request,
      'public',
      quotaState(
        this.quotas.public,
        this.addresses.take(this.bucketOf('probe', request.raw), this.quotas.public, micros()),
      ),
    );
  }

  /**
   * Counts a connection whose bytes were not a request, by its address and in this process only. Returns the quota
   * headers, or null behind proxies, whose address identifies no client.
   * @throws ApiError `RATE_LIMITED`
   */
  countPeer({ remoteAddress = '' }: Socket): Readonly<Record<string, string>> | null {
    const address = addressKey(remoteAddress);
    if (address === null || this.trustedProxies > 0) return null;
    const state = quotaState(
      this.quotas.public,
      this.addresses.take(`public/${address}`, this.quotas.public, micros()),
    );
    if (!state.allowed) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: state.resetSeconds });
    return quotaHeaders('public', this.quotas.public, state);
  }

  /**
   * Refuses an address that has tried too many invalid keys, before the next look-up. The answer shows the remaining
   * attempts if nothing else is counted because the look-up fails.
   * @throws ApiError `RATE_LIMITED`
   */
  mayTryKey(request: FastifyRequest): void {
    this.settle(
      request,
      'public',
      quotaState(
        this.quotas.public,
        this.addresses.peek(this.bucketOf('key', request.raw), this.quotas.public, micros()),
      ),
    );
  }

  /** Counts an invalid key. @throws ApiError `RATE_LIMITED` */
  async chargeRefusedKey(request: FastifyRequest): Promise<void> {
    await this.charge(request, 'public', this.bucketOf('key', request.raw));
  }

  /** @throws ApiError `RATE_LIMITED` with the seconds to wait. */
  async chargeLineage(request: FastifyRequest, lineageId: string, name: string): Promise<void> {
    this.settle(request, name, await this.buckets.take(`${name}/${lineageId}`, this.quota(name)));
  }

  /** Counts all `units` for an owner, or none. @throws ApiError `RATE_LIMITED` with the seconds until they fit. */
  async chargeUnits(request: FastifyRequest, owner: string, name: string, units: number): Promise<void> {
    this.settle(request, name, await this.buckets.takeUnits(`${name}/${owner}`, this.quota(name), units));
  }

  /**
   * Checks that `units` fit for an owner, without counting. @throws ApiError `RATE_LIMITED` with the seconds until they
   * fit.
   */
  async ensureUnitsFit(request: FastifyRequest, owner: string, name: string, units: number): Promise<void> {
    const state = await this.buckets.peekUnits(`${name}/${owner}`, this.quota(name), units);
    if (!state.allowed) this.settle(request, name, state);
  }

  /** Returns counted units for an operation that did not happen. */
  async giveBackUnits(owner: string, name: string, units: number): Promise<void> {
    await this.buckets.giveBackUnits(`${name}/${owner}`, this.quota(name), units);
  }

  private charge(request: FastifyRequest, name: string, bucket: string): Promise<void> | undefined {
    const now = micros();
    const held = this.takeHeld(name, bucket, now);
    if (held === null) return this.chargeShared(request, name, bucket, now);
    this.settle(request, name, held);
    return undefined;
  }

  private takeHeld(name: string, bucket: string, now: number): QuotaState | null {
    const quota = this.quota(name);
    const held = this.addresses.takeHeld(bucket, quota, now);
    return held === null ? null : quotaState(quota, held);
  }

  private async chargeShared(request: FastifyRequest, name: string, bucket: string, now: number): Promise<void> {
    const quota = this.quota(name);
    const alone = this.addresses.take(bucket, quota, now);
    const verdict = alone.allowed ? await this.shared.charge(name, bucket) : alone;
    if (verdict === null) this.countedAlone.inc({ quota: name });
    this.settle(request, name, quotaState(quota, verdict ?? alone));
  }

  /** Returns the headers that show the remaining quota. */
  headersOf({ exchange: { quota } }: FastifyRequest): Readonly<Record<string, string>> {
    return quota === null ? {} : quotaHeaders(quota.name, this.quota(quota.name), quota.state);
  }

  /** A proxy may forward a text that is not an address; the proxy's own address counts then. */
  private bucketOf(kind: string, request: IncomingMessage): string {
    const address = addressKey(clientAddress(request, this.trustedProxies));
    return `${kind}/${address ?? addressKey(request.socket.remoteAddress ?? '') ?? 'unknown'}`;
  }

  private quota(name: string): Quota {
    const quota = this.quotas[name];
    if (quota === undefined) throw new TypeError(`there is no quota ${name}`);
    return quota;
  }

  private settle(request: FastifyRequest, name: string, state: QuotaState): void {
    request.exchange.quota = { name, state };
    if (!state.allowed) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: state.resetSeconds });
  }
}

const micros = (): number => Math.floor(performance.now() * 1_000);
