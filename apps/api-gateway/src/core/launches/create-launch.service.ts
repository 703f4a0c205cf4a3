import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { failpoint, type Logger } from '@launch/platform';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/credentials/caller.js';
import { unauthenticated } from '../accounts/credentials/credential.service.js';
import { callerOf } from '../accounts/credentials/request-caller.js';
import { ApiError, idempotencyKeyOf, RateLimitService, SingleFlight } from '@launch/http';
import type { GatewayLimits } from '../../platform/configuration/limits.js';
import { ConcurrencyService } from '../../platform/rate-limits/concurrency.service.js';
import { RelayService } from '../relay/relay.service.js';
import { StorageIntake } from '../../platform/storage/storage-intake.service.js';
import { CLOCK, LIMITS_CONFIG, LOGGER, type Clock } from '../../platform/tokens.js';
import { keyConflict } from './key-conflict.js';
import type { LaunchCreation } from './launch-creation.js';
import { LaunchRepository, type KeyScope } from './launch.repository.js';
import { LaunchRelayService } from './relay/launch-relay.service.js';

/** Milliseconds for which the relay leaves a fresh reservation to the process that made it. */
const RELAY_DELAY_MS = 2_000;

export interface CreateAnswer<Resource> {
  readonly replayed: boolean;
  readonly resource: Resource;
}

/** One create request of one family. */
interface Asked<Judged, Resource> {
  readonly creation: LaunchCreation<Judged, Resource>;
  readonly http: FastifyRequest;
  readonly caller: Caller;
  readonly scope: KeyScope;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly digest: Sha256Digest;
}

/** Creates launches of every family: reserves one, or answers from the record of the key (docs/reference/api-conventions.md#reservation). */
@Injectable()
export class CreateLaunchService {
  private readonly flights = new SingleFlight();

  constructor(
    private readonly launches: LaunchRepository,
    private readonly rateLimits: RateLimitService,
    private readonly concurrency: ConcurrencyService,
    private readonly relay: RelayService,
    private readonly launchRelay: LaunchRelayService,
    private readonly storage: StorageIntake,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LIMITS_CONFIG) private readonly limits: GatewayLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Refuses by its head a request whose bytes could not be stored.
   * @throws ApiError `STORAGE_LOW`, `RATE_LIMITED`
   */
  judgeHead(
    { family, route }: Pick<LaunchCreation<unknown, unknown>, 'family' | 'route'>,
    http: FastifyRequest,
  ): Promise<void> {
    const caller = callerOf(http);
    const scope: KeyScope = { family, lineageId: caller.lineageId, route, key: idempotencyKeyOf(http) };
    return this.storage.judgeHead(
      http,
      caller,
      async () => (await this.launches.findByKey(scope, caller.controllers)) !== null,
    );
  }

  /**
   * Creates a launch. An exact replay answers from its record even if its window or context has expired; a request under a
   * new key is judged first.
   * @throws ApiError of the family's replays and of the checks before reservation.
   */
  async create<Judged, Resource>(
    creation: LaunchCreation<Judged, Resource>,
    http: FastifyRequest,
    caller: Caller,
    key: string,
    bytes: Buffer<ArrayBuffer>,
  ): Promise<CreateAnswer<Resource>> {
    const { family, route } = creation;
    const scope: KeyScope = { family, lineageId: caller.lineageId, route, key };
    const asked = { creation, http, caller, scope, bytes, digest: sha256Digest(bytes) };
    const known = await this.replay(asked);
    if (known !== null) return known;
    await creation.open?.();
    return this.reserveOnce(asked);
  }

  private async reserveOnce<Judged, Resource>(asked: Asked<Judged, Resource>): Promise<CreateAnswer<Resource>> {
    const { creation, caller, scope, digest } = asked;
    return this.flights.run(
      // By credential, not lineage: the end of one key does not affect another.
      `${caller.credentialId} ${scope.route} ${creation.variant ?? ''} ${digest} ${scope.key}`,
      () => this.relay.first(() => this.reserve(asked)),
      async (failure) => {
        // A fault of these bytes is the same for every caller; a retryable failure is judged again.
        if (failure instanceof ApiError && !failure.retryable) throw failure;
        return (await this.replay(asked)) ?? this.reserveOnce(asked);
      },
    );
  }

  private async replay<Judged, Resource>({
    creation,
    scope,
    caller,
    digest,
  }: Asked<Judged, Resource>): Promise<CreateAnswer<Resource> | null> {
    const record = await this.launches.findByKey(scope, caller.controllers);
    return record === null ? null : { replayed: true, resource: creation.replay(record, digest, caller) };
  }

  private async reserve<Judged, Resource>(asked: Asked<Judged, Resource>): Promise<CreateAnswer<Resource>> {
    const { creation, http, caller, bytes, digest } = asked;
    return this.concurrency.run('create', caller.lineageId, async () => {
      await this.rateLimits.chargeLineage(http, caller.lineageId, 'create');
      const [judged, unfinished] = await Promise.all([
        creation.judge(bytes, digest, caller),
        this.launches.countUnfinished(caller.lineageId, this.limits.unfinishedLaunches),
      ]);
      try {
        return await this.commit(asked, judged, unfinished);
      } catch (refusal) {
        // Another gateway, even of another release, may have reserved this key meanwhile: then its record answers.
        if (!(refusal instanceof ApiError) || refusal.code === 'UNAUTHENTICATED') throw refusal;
        const recorded = await this.replay(asked);
        if (recorded === null) throw refusal;
        return recorded;
      }
    });
  }

  /** Stores the bytes first, fsynced; then the rows, in one statement; then starts the workflow without delaying the answer. */
  private async commit<Judged, Resource>(
    { creation, http, caller, scope, digest }: Asked<Judged, Resource>,
    judged: Judged,
    unfinished: number,
  ): Promise<CreateAnswer<Resource>> {
    const admitted = creation.admit(judged);
    if (unfinished >= this.limits.unfinishedLaunches) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: 60 });
    const { bytes } = admitted;
    const giveBack = await this.storage.keep(http, caller, [
      { bytes, digest },
      { bytes: admitted.image, digest: admitted.launch.imageSha256 },
    ]);
    const launchId = randomUUID();
    const outcome = await this.launches.reserve(
      {
        ...admitted.launch,
        scope,
        credentialId: caller.credentialId,
        launchId,
        relayAfter: new Date(this.clock.now() + RELAY_DELAY_MS),
      },
      creation.beside?.(judged, launchId, caller),
    );
    switch (outcome.kind) {
      case 'nonce-taken':
        throw creation.nonceTaken(judged);
      case 'key-taken':
        await giveBack();
        throw keyConflict(digest);
      case 'credential-revoked':
        throw unauthenticated();
      case 'reserved':
    }
    failpoint('gateway.after-commit');
    const { launch } = outcome;
    this.launchRelay.carry(launch);
    this.logger.info({ launchId, family: scope.family, requestSha256: digest, bytes: bytes.length }, 'launch reserved');
    return { replayed: false, resource: creation.resource(launch, caller) };
  }
}
