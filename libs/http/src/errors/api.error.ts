import {
  servedEntry,
  servedFinding,
  orderFindings,
  type ServedCode,
  type ServedFinding,
  type FindingDetail,
} from '@launch/contracts/errors';
import { LIMITS } from '@launch/contracts/primitives';

export interface ApiErrorDetail {
  readonly findings?: readonly ServedFinding[];
  /** The findings for a family that reports every refusal as a complete finding; other families report `findings`. */
  readonly detailedFindings?: readonly ServedFinding[];
  /** Path of the resource to poll. */
  readonly statusUrl?: string;
  readonly retryAfterSeconds?: number;
  /** Overrides the code's own HTTP status; only where one code is a finding among others. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

const DEFAULT_RETRY_AFTER_SECONDS = 1;

/**
 * The only error of the gateway: a code of the catalogue and the details for the client. Status, message and
 * retryability follow from the code (see the catalogue in contracts).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly findings: readonly ServedFinding[];
  /** The same findings with all details; equal to `findings` without further ones. */
  readonly detailedFindings: readonly ServedFinding[];
  /** True if there were more findings than an answer may contain. */
  readonly isTruncated: boolean;
  readonly statusUrl: string | null;
  readonly retryAfterSeconds: number | null;
  readonly status: number;
  readonly retryable: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ServedCode,
    detail: ApiErrorDetail = {},
  ) {
    const entry = servedEntry(code);
    super(entry.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.findings = orderFindings(detail.findings ?? []);
    this.detailedFindings =
      detail.detailedFindings === undefined ? this.findings : orderFindings(detail.detailedFindings);
    this.isTruncated = (detail.findings?.length ?? 0) > LIMITS.findings;
    this.statusUrl = detail.statusUrl ?? null;
    this.retryAfterSeconds = detail.retryAfterSeconds ?? (entry.retryable ? DEFAULT_RETRY_AFTER_SECONDS : null);
    this.status = detail.status ?? entry.status;
    this.retryable = entry.retryable;
    this.headers = detail.headers ?? {};
  }
}

/** Creates an error that consists of one finding of its own code. */
export const refusal = (
  code: ServedCode,
  path: string,
  more: FindingDetail = {},
  detail: Omit<ApiErrorDetail, 'findings'> = {},
): ApiError => new ApiError(code, { ...detail, findings: [servedFinding(code, path, more)] });

/** Creates an error without a finding, which families with complete findings report as this one. */
export const detailedRefusal = (
  code: ServedCode,
  path: string,
  more: FindingDetail,
  detail: Omit<ApiErrorDetail, 'findings' | 'detailedFindings'> = {},
): ApiError => new ApiError(code, { ...detail, detailedFindings: [servedFinding(code, path, more)] });

/**
 * Creates the error of a request with findings: its code is that of the first finding, and its status fits them all.
 */
export function refusalOf(findings: readonly ServedFinding[]): ApiError {
  const ordered = orderFindings(findings);
  const first = ordered[0];
  if (first === undefined) throw new RangeError('a refusal needs a finding');
  const statuses = new Set(ordered.map(({ code }) => servedEntry(code).status));
  return new ApiError(first.code, {
    findings: ordered,
    status: statuses.size === 1 ? servedEntry(first.code).status : 422,
  });
}
