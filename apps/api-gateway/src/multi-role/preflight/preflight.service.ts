import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import { orderFindings, type PreflightResult, sha256Digest } from '@launch/contracts';
import {
  PREFLIGHT_GRACE_MS,
  STEP_ABANDONED,
  type MultiRoleEvaluation,
  type LaunchRef,
} from '@launch/contracts/orchestration';
import { type BlobStore } from '@launch/blob-store';
import type { Logger } from '@launch/platform';
import type { GatewayLimits } from '../../config/limits.js';
import type { Caller } from '../../accounts/credentials/caller.js';
import { ApiError, refusalOf } from '@launch/http';
import { nonceFinding, RequestJudge, type JudgedRequest } from '../request/request-judge.js';
import { ConcurrencyService } from '../../rate-limits/concurrency.service.js';
import type { LaunchWorkflows, RunningEvaluation } from '../launch-workflows.js';
import { BLOB_STORE, LAUNCH_WORKFLOWS, LIMITS_CONFIG, LOGGER } from '../../tokens.js';

/**
 * `POST /preflight`: form first, then the source evaluation, awaited; nothing is reserved or signed and the
 * request's bytes go with the answer (spec 2, Endpoints).
 */
@Injectable()
export class PreflightService {
  constructor(
    private readonly judge: RequestJudge,
    private readonly concurrency: ConcurrencyService,
    @Inject(LAUNCH_WORKFLOWS) private readonly workflows: LaunchWorkflows,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(LIMITS_CONFIG) private readonly limits: GatewayLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param gone aborts when the client went away: its compile is stopped too.
   * @throws ApiError faults of form (4xx), `PREFLIGHT_PENDING` when the evaluation takes too long, `SERVICE_UNAVAILABLE`.
   */
  async evaluate(caller: Caller, bytes: Buffer<ArrayBuffer>, gone: AbortSignal): Promise<PreflightResult> {
    return this.concurrency.run('preflight', caller.lineageId, async () => {
      const judged = await this.judge.judge(bytes, sha256Digest(bytes), caller);
      const findings = judged.nonceInUse ? [...judged.findings, nonceFinding(judged.form)] : judged.findings;
      if (findings.length > 0) throw refusalOf422(findings);
      return preflightResult(judged, await this.run(judged, gone));
    });
  }

  private async run({ form, bytes }: JudgedRequest, gone: AbortSignal): Promise<MultiRoleEvaluation> {
    if (gone.aborted) throw pending();
    const preflightId = randomUUID();
    const digest = await this.blobs.putTemporary(bytes, preflightId);
    try {
      const ref: LaunchRef = {
        launchId: null,
        requestSha256: digest,
        requestHash: form.requestHash,
        contextHash: form.commitments.contextHash,
        controller: form.launchWallet,
      };
      const running = await this.start(preflightId, ref);
      return await this.await(preflightId, running, gone);
    } finally {
      await this.blobs.deleteTemporary(digest, preflightId);
    }
  }

  private async start(preflightId: string, ref: LaunchRef): Promise<RunningEvaluation> {
    try {
      return await this.workflows.startEvaluation(preflightId, { ref }, this.limits.preflightMs + PREFLIGHT_GRACE_MS);
    } catch (error) {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause: error });
    }
  }

  private async await(
    preflightId: string,
    running: RunningEvaluation,
    gone: AbortSignal,
  ): Promise<MultiRoleEvaluation> {
    const { promise: given, resolve: giveUp } = Promise.withResolvers<'given-up'>();
    const timer = setTimeout(() => giveUp('given-up'), this.limits.preflightMs);
    const onGone = (): void => giveUp('given-up');
    gone.addEventListener('abort', onGone, { once: true });
    if (gone.aborted) onGone();
    try {
      const outcome = await Promise.race([running.result(), given]);
      if (outcome !== 'given-up') return outcome;
    } catch (error) {
      // Not what passes: the same bytes would fail in the same way.
      if (isAbandoned(error)) throw new ApiError('INTERNAL', { cause: error });
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause: error });
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', onGone);
    }
    await running
      .cancel()
      .catch((error: unknown) => this.logger.warn({ err: error, preflightId }, 'a preflight could not be cancelled'));
    throw pending();
  }
}

const isAbandoned = (error: unknown): boolean =>
  error instanceof WorkflowFailedError &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === STEP_ABANDONED;

const pending = (): ApiError => new ApiError('PREFLIGHT_PENDING', { retryAfterSeconds: 5 });

/** At preflight a used nonce is one finding among the others, so the status is that of findings. */
function refusalOf422(findings: Parameters<typeof refusalOf>[0]): ApiError {
  const error = refusalOf(findings);
  return error.status === 422 ? error : new ApiError(error.code, { findings, status: 422 });
}

function preflightResult(judged: JudgedRequest, evaluation: MultiRoleEvaluation): PreflightResult {
  const { assessment, disposition } = evaluation.receipt;
  return {
    schemaVersion: 'service.multi-role-custom-launch-preflight.v2',
    requestSha256: judged.digest,
    requestHash: judged.form.requestHash,
    source: {
      disposition,
      findingCodes: assessment.findingCodes,
      receipt: {
        kind: 'preflight',
        requestHash: judged.form.requestHash,
        contextHash: judged.form.commitments.contextHash,
        economicsHash: evaluation.economicsHash,
        receiptHash: assessment.receiptHash,
      },
      remediation: assessment.remediation,
    },
    findings: orderFindings(evaluation.findings),
    readiness: 'independent-admission-required',
    permitSigned: false,
    walletTransactionProduced: false,
    transactionBroadcast: false,
  };
}
