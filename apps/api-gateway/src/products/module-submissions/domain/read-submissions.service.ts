import { Inject, Injectable } from '@nestjs/common';
import {
  MODULE_API_SCHEMA,
  MODULE_CAPABILITIES_SCHEMA,
  MODULE_LIMITS,
  MODULE_SUBMISSION_LIST_SCHEMA,
  MODULE_SUBMISSION_SCHEMA,
  MODULES_PATH,
  type ModuleCapabilities,
  type ModuleReceipt,
  type ModuleReviewCapabilities,
  type ModuleSubmissionList,
} from '@launch/contracts/modules';
import { uuidSchema } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import { recentReads, type Logger } from '@launch/platform';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import type { SignInConfig } from '../../../core/accounts/sign-in/sign-in.judge.js';
import { MODULE_CLIENT_RELEASES } from '../../../core/downloads/module-clients.js';
import { PUBLISHED_FILES, moduleClientFile, type PublishedFiles } from '../../../core/downloads/published-files.js';
import { CLOCK, LOGGER, type Clock } from '../../../platform/tokens.js';
import { SIGN_IN } from '../../../core/accounts/accounts.tokens.js';
import { MODULE_INTAKE, type ModuleIntake } from './module-intake.js';
import { ReviewReadinessService } from '../../../core/module-submissions/review-readiness.service.js';
import { SubmissionRepository } from '../../../core/module-submissions/submission.repository.js';

/** Milliseconds within which the review reports a draft that it has a job for. */
const JOB_WITHIN_MS = 60_000;

/** A receipt has some 700 bytes. */
const RECENT_RECEIPTS = 2_000;

const utf8 = new TextEncoder();

/** Serves the public reads of the module routes, and an author's drafts to the author's wallet alone. */
@Injectable()
export class ReadSubmissionsService {
  /** A receipt never changes, and a draft never changes its author. */
  private readonly receipts = recentReads<Uint8Array>(RECENT_RECEIPTS);

  constructor(
    private readonly submissions: SubmissionRepository,
    private readonly readiness: ReviewReadinessService,
    @Inject(MODULE_INTAKE) private readonly intake: ModuleIntake,
    @Inject(PUBLISHED_FILES) private readonly files: PublishedFiles,
    @Inject(SIGN_IN) private readonly signIn: SignInConfig | null,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async capabilities(): Promise<ModuleCapabilities> {
    const { submissions, limits } = this.intake;
    const { statusReadAvailable } = await this.reviewCapabilities();
    return {
      schemaVersion: MODULE_CAPABILITIES_SCHEMA,
      moduleContributions: { submissions, ...limits },
      apiKeyIssuance: this.signIn !== null,
      wireContract: MODULE_API_SCHEMA,
      submissionSchema: MODULE_SUBMISSION_SCHEMA,
      buildProfiles: ['service.native-solidity@1'],
      clients: MODULE_CLIENT_RELEASES.flatMap(({ version, commands }) => {
        const file = this.files.get(moduleClientFile(version));
        const path = `${MODULES_PATH}/client/${moduleClientFile(version)}`;
        return file === undefined
          ? []
          : [{ version, path, contentSha256: file.contentSha256, commands: [...commands] }];
      }),
      operations: { submit: submissions, read: true, reviewStatus: statusReadAvailable },
    };
  }

  reviewCapabilities(): Promise<ModuleReviewCapabilities> {
    return this.readiness.now();
  }

  /** Returns the receipt's original bytes. @throws ApiError `NOT_FOUND` for absent and foreign ids. */
  async receipt({ wallet }: Caller, submissionId: string): Promise<Uint8Array> {
    return this.receipts(`${submissionId} ${wallet ?? ''}`, async () => {
      const receipt = await this.submissions.findReceipt(submissionId, wallet);
      if (receipt === null) throw new ApiError('NOT_FOUND');
      return utf8.encode(receipt);
    });
  }

  /**
   * @throws ApiError `NOT_FOUND` likewise; `MODULE_REVIEW_UNAVAILABLE` while the review does not report;
   * `MODULE_REVIEW_JOB_UNAVAILABLE` when the review has not reported a draft for a minute.
   */
  async review({ wallet }: Caller, submissionId: string): Promise<Uint8Array> {
    const found = await this.submissions.findReview(submissionId, wallet);
    if (found === null) throw new ApiError('NOT_FOUND');
    const { projection, receivedAt, isReported, readiness } = found;
    if (!this.readiness.judge(readiness).statusReadAvailable) throw new ApiError('MODULE_REVIEW_UNAVAILABLE');
    if (!isReported && receivedAt.getTime() + JOB_WITHIN_MS < this.clock.now()) {
      this.logger.error({ submissionId }, 'the review has no job for a module draft');
      throw new ApiError('MODULE_REVIEW_JOB_UNAVAILABLE');
    }
    return utf8.encode(projection);
  }

  /**
   * Returns a page of receipts, the newest first.
   * @param cursor the last id of the previous page.
   * @throws ApiError `CURSOR_INVALID` for a cursor of another author.
   */
  async list({ wallet }: Caller, cursor: string | undefined): Promise<ModuleSubmissionList> {
    const after = cursor === undefined ? null : await this.positionOf(wallet, cursor);
    const found = await this.submissions.list(wallet, MODULE_LIMITS.listMax, after);
    const page = found.slice(0, MODULE_LIMITS.listMax);
    const last = found.length > page.length ? page.at(-1) : undefined;
    return {
      schemaVersion: MODULE_SUBMISSION_LIST_SCHEMA,
      items: page.map(({ receipt }) => JSON.parse(receipt) as ModuleReceipt),
      nextCursor: last?.submissionId ?? null,
    };
  }

  private async positionOf(wallet: string | null, submissionId: string) {
    const receivedAt = uuidSchema.safeParse(submissionId).success
      ? await this.submissions.receivedAt(submissionId, wallet)
      : null;
    if (receivedAt === null) throw new ApiError('CURSOR_INVALID');
    return { receivedAt, submissionId };
  }
}
