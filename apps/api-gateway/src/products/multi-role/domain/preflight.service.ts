import { Inject, Injectable } from '@nestjs/common';
import { orderFindings } from '@launch/contracts/errors';
import type { PreflightResult } from '@launch/contracts/multi-role';
import type { MultiRoleEvaluation } from '@launch/contracts/orchestration';
import { sha256Digest } from '@launch/contracts/primitives';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { ApiError, refusalOf } from '@launch/http';
import { SourceEvaluationService } from '../../../core/launches/source-evaluation.service.js';
import { nonceFinding } from '../../../core/launches/arrival.js';
import { RequestJudge, type JudgedRequest } from './request-judge.js';
import { ConcurrencyService } from '../../../platform/rate-limits/concurrency.service.js';

/**
 * Serves `POST /preflight`: judges the form, then waits for the source evaluation. A preflight reserves and signs
 * nothing, and deletes the request's bytes after the answer (docs/reference/multi-role.md#preflight).
 */
@Injectable()
export class PreflightService {
  constructor(
    private readonly judge: RequestJudge,
    @Inject(ConcurrencyService) private readonly concurrency: Pick<ConcurrencyService, 'run'>,
    private readonly evaluations: SourceEvaluationService,
  ) {}

  /**
   * @param gone aborts when the client disconnects, which also stops its compilation.
   * @throws ApiError for faults of form (4xx), `PREFLIGHT_PENDING` when the evaluation takes too long,
   * `SERVICE_UNAVAILABLE`.
   */
  async evaluate(caller: Caller, bytes: Buffer<ArrayBuffer>, gone: AbortSignal): Promise<PreflightResult> {
    return this.concurrency.run('preflight', caller.lineageId, async () => {
      const judged = await this.judge.judge(bytes, sha256Digest(bytes), caller);
      const findings = judged.nonceInUse ? [...judged.findings, nonceFinding(judged.form)] : judged.findings;
      if (findings.length > 0) throw refusalOf422(findings);
      return preflightResult(judged, await this.run(judged, caller.lineageId, gone));
    });
  }

  private run({ form, bytes }: JudgedRequest, lineageId: string, gone: AbortSignal): Promise<MultiRoleEvaluation> {
    const { requestHash, commitments, launchWallet } = form;
    const ref = { requestHash, contextHash: commitments.contextHash, controller: launchWallet };
    return this.evaluations.run({ ref, lineageId }, bytes, gone);
  }
}

/** At preflight a used nonce is one finding among others, so the answer has the status of findings. */
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
