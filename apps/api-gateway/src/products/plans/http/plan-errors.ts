import {
  customLaunchFinding,
  isCustomLaunchCode,
  launchCode,
  type ServedCode,
  type ServedFinding,
  type CustomLaunchCode,
  type CustomLaunchFinding,
} from '@launch/contracts/errors';
import { PLAN_OPERATION_STATUSES, planEntry, planErrorsSchema, type PlanErrors } from '@launch/contracts/plans';
import type { ApiError, ErrorContract, ErrorForm, ErrorHead } from '@launch/http';

const DEFAULT_RETRY_AFTER_SECONDS = 1;

function headOf({ code, retryAfterSeconds }: ApiError): ErrorHead {
  const { status, retryable } = planEntryOf(code);
  return { status, retryAfterSeconds: retryable ? (retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS) : null };
}

const planEntryOf = (code: ServedCode) => planEntry(launchCode(code));

/** @throws RangeError for a multi-role or module code: this transport has none (docs/reference/plans.md#closed-statuses). */
function ownCode(served: ServedCode): CustomLaunchCode {
  const code = launchCode(served);
  if (isCustomLaunchCode(code)) return code;
  throw new RangeError(`${code} is no code of the plan transport`);
}

const ownFinding = (found: ServedFinding): CustomLaunchFinding => ({ ...found, code: ownCode(found.code) });

/** Builds the body of an error; an error without findings is a finding itself. */
function bodyOf(code: ServedCode, requestId: string, error?: ApiError): PlanErrors {
  const { status, retryable } = planEntryOf(code);
  const findings = error?.detailedFindings ?? [];
  return {
    schemaVersion: 'service.custom-launch-plan-errors.v1',
    requestId,
    status,
    retryable,
    retryAfterSeconds:
      error === undefined ? (retryable ? DEFAULT_RETRY_AFTER_SECONDS : null) : headOf(error).retryAfterSeconds,
    statusUrl: error?.statusUrl ?? null,
    errors: findings.length === 0 ? [customLaunchFinding(ownCode(code), '')] : findings.map(ownFinding),
    truncated: error?.isTruncated ?? false,
  };
}

const FORM: ErrorForm = {
  mediaType: 'application/json',
  schemas: [planErrorsSchema],
  narrowedTo: (codes) => ({ properties: { errors: { items: { properties: { code: { enum: [...codes] } } } } } }),
  example: (code) => bodyOf(code, 'req_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'),
  body: (error, requestId) => bodyOf(error.code, requestId, error),
};

/** The errors of the plan transport: closed statuses, one body, always `application/json` (docs/adr/0044). */
export const PLAN_ERRORS: ErrorContract = {
  entry: planEntryOf,
  statuses: PLAN_OPERATION_STATUSES,
  head: headOf,
  forms: [FORM],
  formFor: () => FORM,
};
