import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { servedFinding } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import { MODULE_API_SCHEMA, reviewStatusOf, type ModuleReceipt } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { contentDigest } from '@launch/blob-store';
import { failpoint, type Logger } from '@launch/platform';
import { ApiError, idempotencyKeyOf, RateLimitService, refusal, refusalOf, SingleFlight } from '@launch/http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { unauthenticated } from '../../../core/accounts/credentials/credential.service.js';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import type { FormReader } from '../../../platform/request-forms/form-reader.js';
import { RelayService } from '../../../core/relay/relay.service.js';
import { ConcurrencyService } from '../../../platform/rate-limits/concurrency.service.js';
import { StorageIntake } from '../../../platform/storage/storage-intake.service.js';
import { CLOCK, FORM_READER, LOGGER, type Clock } from '../../../platform/tokens.js';
import { moduleForm, type ModuleDraft, type ModuleForm } from './module-form.js';
import { MODULE_INTAKE, SUBMISSIONS_PATH, submissionUrl, type ModuleIntake } from './module-intake.js';
import { ReviewRelayService } from './review-relay.service.js';
import {
  SubmissionRepository,
  type DraftConflict,
  type SubmissionKey,
} from '../../../core/module-submissions/submission.repository.js';

const ROUTE = `POST ${SUBMISSIONS_PATH}`;
/** Milliseconds for which the relay leaves a fresh draft to the process that received it. */
const RELAY_DELAY_MS = 2_000;

export interface SubmitAnswer {
  readonly replayed: boolean;
  readonly submissionId: string;
  /** Canonical JSON. */
  readonly receipt: string;
}

interface Asked {
  readonly http: FastifyRequest;
  readonly caller: Caller;
  readonly key: SubmissionKey;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly digest: Sha256Digest;
}

/** Serves `POST /v1/modules/submissions`: stores a durable draft, or returns the receipt that the key is bound to (docs/reference/modules.md#intake). */
@Injectable()
export class SubmitModuleService {
  private readonly flights = new SingleFlight();

  constructor(
    private readonly submissions: SubmissionRepository,
    private readonly relay: RelayService,
    private readonly reviews: ReviewRelayService,
    private readonly rateLimits: RateLimitService,
    private readonly concurrency: ConcurrencyService,
    private readonly storage: StorageIntake,
    @Inject(FORM_READER) private readonly forms: FormReader,
    @Inject(MODULE_INTAKE) private readonly intake: ModuleIntake,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Refuses, by its head, a request that this deployment does not accept. A known key is always answered by its record.
   * @throws ApiError `REQUEST_TOO_LARGE`, `MODULE_SUBMISSIONS_UNAVAILABLE`, `STORAGE_LOW`, `RATE_LIMITED`
   */
  async judgeHead(http: FastifyRequest): Promise<void> {
    const caller = callerOf(http);
    const isKnown = async (): Promise<boolean> =>
      (await this.submissions.findByKey(keyOf(caller, idempotencyKeyOf(http)))) !== null;
    const refused = this.refusalOfNew(Number(http.headers['content-length'] ?? 0));
    if (refused === null) return this.storage.judgeHead(http, caller, isKnown);
    if (!(await isKnown())) throw refused;
  }

  /**
   * @param bytes belong to the reader after the call.
   * @throws ApiError for the first failed check, then the first conflict (docs/reference/modules.md#conflict-order).
   */
  async submit(http: FastifyRequest, caller: Caller, key: string, bytes: Buffer<ArrayBuffer>): Promise<SubmitAnswer> {
    const asked = { http, caller, key: keyOf(caller, key), bytes, digest: await contentDigest(bytes) };
    const known = await this.replay(asked);
    if (known !== null) return known;
    const refused = this.refusalOfNew(bytes.length);
    if (refused !== null) throw refused;
    return this.receiveOnce(asked);
  }

  private refusalOfNew(bytes: number): ApiError | null {
    if (bytes > this.intake.limits.maxRequestBytes) return new ApiError('REQUEST_TOO_LARGE');
    return this.intake.submissions ? null : new ApiError('MODULE_SUBMISSIONS_UNAVAILABLE');
  }

  private receiveOnce(asked: Asked): Promise<SubmitAnswer> {
    const { caller, digest, key } = asked;
    return this.flights.run(
      `${caller.credentialId} ${digest} ${key.key}`,
      () => this.relay.first(() => this.receive(asked)),
      async (failure) => {
        if (failure instanceof ApiError && !failure.retryable) throw failure;
        return (await this.replay(asked)) ?? this.receiveOnce(asked);
      },
    );
  }

  private async replay({ key, digest }: Asked): Promise<SubmitAnswer | null> {
    const kept = await this.submissions.findByKey(key);
    if (kept === null) return null;
    const { submissionId, receipt } = kept;
    if (kept.bodySha256 === digest) return { replayed: true, submissionId, receipt };
    throw new ApiError('MODULE_IDEMPOTENCY_CONFLICT', { statusUrl: submissionUrl(submissionId) });
  }

  private async receive(asked: Asked): Promise<SubmitAnswer> {
    const { http, caller } = asked;
    return this.concurrency.run('module-create', caller.lineageId, async () => {
      const { form, bytes } = await this.forms.read(moduleForm, asked.bytes, this.intake.limits);
      const draft = draftOf(form, caller);
      // A draft that cannot be received uses none of the lineage's quota, and none of its bytes are stored.
      const conflict = await this.submissions.conflictOf(draft);
      if (conflict !== null) {
        // It may be the same draft, which another gateway received under the same key meanwhile.
        const recorded = await this.replay(asked);
        if (recorded === null) throw conflictError(conflict);
        return recorded;
      }
      try {
        await this.rateLimits.chargeLineage(http, caller.lineageId, 'module-create');
        return await this.commit(asked, draft, bytes);
      } catch (limited) {
        if (!(limited instanceof ApiError) || limited.code !== 'RATE_LIMITED') throw limited;
        // Another gateway may have received under the same key meanwhile: then its receipt answers.
        const recorded = await this.replay(asked);
        if (recorded === null) throw limited;
        return recorded;
      }
    });
  }

  /** Stores the bytes first, fsynced; then the rows, in one transaction. */
  private async commit(asked: Asked, draft: ModuleDraft, bytes: Uint8Array): Promise<SubmitAnswer> {
    const { http, caller, key, digest } = asked;
    const files = draft.files.map((file) => ({ bytes: file.bytes, digest: file.sha256 }));
    const giveBack = await this.storage.keep(http, caller, [{ bytes, digest }, ...files]);
    failpoint('gateway.module-bytes');
    const submissionId = randomUUID();
    const receivedAt = new Date(this.clock.now());
    const receipt = canonicalJsonText(receiptOf(draft, submissionId, digest, receivedAt));
    // The draft has a status at once: that of a review without a step.
    const { packageId } = draft;
    const createdAt = receivedAt.toISOString();
    const review = reviewStatusOf({ submissionId, packageId, requestDigest: digest, createdAt }, []);
    const outcome = await this.submissions.receive({
      key,
      credentialId: caller.credentialId,
      submissionId,
      author: draft.author,
      rewardWallet: draft.rewardWallet,
      family: draft.family,
      familyId: draft.familyId,
      version: draft.version,
      packageId,
      requestDigest: digest,
      fileDigests: files.map((file) => file.digest),
      supersedes: draft.supersedes,
      receipt,
      receivedAt,
      relayAfter: new Date(receivedAt.getTime() + RELAY_DELAY_MS),
      projection: canonicalJsonText(review),
    });
    switch (outcome.kind) {
      case 'key-taken': {
        // Another gateway received under the same key meanwhile.
        await giveBack();
        const recorded = await this.replay(asked);
        if (recorded === null) throw new TypeError('a key that is taken has a record');
        return recorded;
      }
      case 'credential-revoked':
        throw unauthenticated();
      case 'package-known':
      case 'version-known':
      case 'lineage-invalid':
        throw conflictError(outcome);
      case 'received':
    }
    failpoint('gateway.module-commit');
    this.reviews.carry({
      submissionId,
      requestDigest: digest,
      packageId: draft.packageId,
      author: draft.author,
      supersedes: draft.supersedes,
      createdAt: receivedAt.toISOString(),
    });
    this.logger.info({ submissionId, requestSha256: digest, bytes: bytes.length }, 'module draft received');
    return { replayed: false, submissionId, receipt };
  }
}

const keyOf = ({ lineageId }: Caller, key: string): SubmissionKey => ({ lineageId, route: ROUTE, key });

function conflictError(conflict: DraftConflict): ApiError {
  switch (conflict.kind) {
    case 'package-known':
      return new ApiError('MODULE_PACKAGE_CONFLICT', { statusUrl: submissionUrl(conflict.submissionId) });
    case 'version-known':
      return new ApiError('MODULE_VERSION_ALREADY_SUBMITTED', { statusUrl: submissionUrl(conflict.submissionId) });
    case 'lineage-invalid':
      return refusal('MODULE_REVISION_LINEAGE_INVALID', '/supersedes', {
        expected: 'a revision of this author and family, of another version and without a successor',
      });
  }
}

/** Returns the draft of a form. @throws ApiError with every finding; a foreign author decides its status beside any other. */
function draftOf({ author, findings, draft }: ModuleForm, { wallet }: Caller): ModuleDraft {
  if (author !== null && author !== wallet)
    throw new ApiError('MODULE_AUTHOR_MISMATCH', {
      findings: [
        servedFinding('MODULE_AUTHOR_MISMATCH', '/package/author', { expected: 'the wallet that owns the key' }),
        ...findings,
      ],
    });
  if (findings.length > 0) throw refusalOf(findings);
  if (draft === null) throw new TypeError('a draft without findings is complete');
  return draft;
}

function receiptOf(
  draft: ModuleDraft,
  submissionId: string,
  requestDigest: Sha256Digest,
  receivedAt: Date,
): ModuleReceipt {
  const { files, ...shared } = draft;
  return {
    schemaVersion: MODULE_API_SCHEMA,
    submissionId,
    ...shared,
    requestDigest,
    fileCount: files.length,
    status: 'draft_received',
    reviewStatus: 'unreviewed',
    approved: false,
    available: false,
    receivedAt: receivedAt.toISOString(),
  };
}
