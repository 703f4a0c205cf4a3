import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH, type LaunchResource, sha256Digest, type Sha256Digest } from '@launch/contracts';
import { type BlobStore } from '@launch/blob-store';
import { failpoint, type Logger } from '@launch/platform';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/credentials/caller.js';
import { unauthenticated } from '../../accounts/credentials/credential.service.js';
import { ApiError, RateLimitService, refusalOf, SingleFlight } from '@launch/http';
import { ConcurrencyService } from '../../rate-limits/concurrency.service.js';
import { RelayService } from '../../relay/relay.service.js';
import { LaunchRelayService } from '../relay/launch-relay.service.js';
import { BLOB_STORE, CLOCK, LIMITS_CONFIG, LOGGER, type Clock } from '../../tokens.js';
import type { GatewayLimits } from '../../config/limits.js';
import { LaunchRepository, type KeyScope } from './launch.repository.js';
import { replayAnswer } from './launch.replay.js';
import { launchResource } from './launch.resource.js';
import type { LaunchRow } from './launch.row.js';
import { nonceFinding, RequestJudge, routerOf, type JudgedRequest } from '../request/request-judge.js';

/** The route template idempotency keys are scoped by. */
export const CREATE_ROUTE = `POST ${MULTI_ROLE_BASE_PATH}`;

/** How long the relay leaves a fresh reservation to the process that made it. */
const RELAY_DELAY_MS = 2_000;

export type CreateAnswer = { readonly replayed: boolean; readonly resource: LaunchResource };

/** `POST /`: a durable reservation, or the answer of the one the key is bound to (spec 2, Endpoints). */
@Injectable()
export class CreateLaunchService {
  private readonly flights = new SingleFlight();

  constructor(
    private readonly launches: LaunchRepository,
    private readonly judge: RequestJudge,
    private readonly rateLimits: RateLimitService,
    private readonly concurrency: ConcurrencyService,
    private readonly relay: RelayService,
    private readonly launchRelay: LaunchRelayService,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LIMITS_CONFIG) private readonly limits: GatewayLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * An exact replay answers from its record whatever has become of its window or context; a new key is judged first.
   * @throws ApiError as the replay table and the checks before reservation say.
   */
  async create(http: FastifyRequest, caller: Caller, key: string, bytes: Buffer<ArrayBuffer>): Promise<CreateAnswer> {
    const scope: KeyScope = { lineageId: caller.lineageId, route: CREATE_ROUTE, key };
    const digest = sha256Digest(bytes);
    const known = await this.replay(scope, caller, digest);
    if (known !== null) return known;
    return this.reserveOnce(http, caller, scope, bytes, digest);
  }

  private async reserveOnce(
    http: FastifyRequest,
    caller: Caller,
    scope: KeyScope,
    bytes: Buffer<ArrayBuffer>,
    digest: Sha256Digest,
  ): Promise<CreateAnswer> {
    return this.flights.run(
      // By credential, not lineage: that one key ended meanwhile says nothing about another.
      `${caller.credentialId} ${digest} ${scope.key}`,
      () => this.relay.first(() => this.reserve(http, caller, scope, bytes, digest)),
      async (failure) => {
        // What is wrong with these bytes is wrong with them for everybody; what may pass is tried again.
        if (failure instanceof ApiError && !failure.retryable) throw failure;
        return (await this.replay(scope, caller, digest)) ?? this.reserveOnce(http, caller, scope, bytes, digest);
      },
    );
  }

  private async replay(scope: KeyScope, caller: Caller, digest: Sha256Digest): Promise<CreateAnswer | null> {
    const record = await this.launches.findByKey(scope, caller.controllers);
    return record === null ? null : this.answerFrom(record, caller, digest);
  }

  private answerFrom(
    record: { readonly bodySha256: Sha256Digest; readonly launch: LaunchRow },
    caller: Caller,
    digest: Sha256Digest,
  ): CreateAnswer {
    return {
      replayed: true,
      resource: replayAnswer(record, digest, launchResource(record.launch, caller, this.clock.now())),
    };
  }

  private async reserve(
    http: FastifyRequest,
    caller: Caller,
    scope: KeyScope,
    bytes: Buffer<ArrayBuffer>,
    digest: Sha256Digest,
  ): Promise<CreateAnswer> {
    return this.concurrency.run('create', caller.lineageId, async () => {
      await this.rateLimits.chargeLineage(http, caller.lineageId, 'create');
      const [judged, unfinished] = await Promise.all([
        this.judge.judge(bytes, digest, caller),
        this.launches.countUnfinished(caller.lineageId, this.limits.unfinishedLaunches),
      ]);
      if (judged.findings.length > 0) return this.recordOr(refusalOf(judged.findings), scope, caller, judged);
      if (judged.nonceInUse) return this.recordOr(nonceTaken(judged), scope, caller, judged);
      if (unfinished >= this.limits.unfinishedLaunches)
        return this.recordOr(new ApiError('RATE_LIMITED', { retryAfterSeconds: 60 }), scope, caller, judged);
      return this.commit(caller, scope, judged);
    });
  }

  /** Bytes first, fsynced; then the rows, in one statement; then, at once and off the answer's way, the workflow. */
  private async commit(caller: Caller, scope: KeyScope, judged: JudgedRequest): Promise<CreateAnswer> {
    const { form, bytes, digest, against } = judged;
    if (form.image === null || against === null) throw new TypeError('an admitted request has an image and a context');
    const [, imageSha256] = await Promise.all([this.blobs.put(bytes, digest), this.blobs.put(form.image)]);
    const launchId = randomUUID();
    const outcome = await this.launches.reserve({
      scope,
      credentialId: caller.credentialId,
      launchId,
      controller: form.launchWallet,
      router: routerOf(against),
      nonce: form.nonce,
      requestSha256: digest,
      requestHash: form.requestHash,
      artifactHash: form.artifactHash,
      onchainLaunchId: form.onchainLaunchId,
      contextHash: against.commitments.contextHash,
      contextText: against.canonicalText,
      validAfter: BigInt(form.permitWindow.validAfter),
      deadline: BigInt(form.permitWindow.deadline),
      imageSha256,
      relayAfter: new Date(this.clock.now() + RELAY_DELAY_MS),
    });
    switch (outcome.kind) {
      case 'nonce-taken':
        return this.recordOr(nonceTaken(judged), scope, caller, judged);
      case 'key-taken':
        return this.recordOr(new ApiError('IDEMPOTENCY_CONFLICT'), scope, caller, judged);
      case 'credential-revoked':
        throw unauthenticated();
      case 'reserved':
    }
    failpoint('gateway.after-commit');
    const { launch } = outcome;
    this.launchRelay.carry({ ...launch, deadline: launch.deadline.toString() });
    this.logger.info({ launchId, requestSha256: digest, bytes: bytes.length }, 'launch reserved');
    return { replayed: false, resource: launchResource(launch, caller, this.clock.now()) };
  }

  /** Another gateway, also of another release, may have reserved this very key meanwhile: then its record answers. */
  private async recordOr(
    refusal: ApiError,
    scope: KeyScope,
    caller: Caller,
    { digest }: JudgedRequest,
  ): Promise<CreateAnswer> {
    const recorded = await this.replay(scope, caller, digest);
    if (recorded === null) throw refusal;
    return recorded;
  }
}

const nonceTaken = ({ form }: JudgedRequest): ApiError =>
  new ApiError('NONCE_IN_USE', { findings: [nonceFinding(form)] });
