import type { CatalogueEntry } from '../errors/catalogue.js';
import { anyEntry, type AnyCode } from '../errors/custom-launch.catalogue.js';

/** The only error statuses of plan operations (docs/reference/plans.md#closed-statuses). */
export const PLAN_OPERATION_STATUSES = [401, 409, 422, 503] as const;
/** The statuses of error bodies: a method that a path does not have is 405, which is an error of no operation. */
export const PLAN_ERROR_STATUSES = [...PLAN_OPERATION_STATUSES, 405] as const;
export type PlanErrorStatus = (typeof PLAN_ERROR_STATUSES)[number];

/** Statuses of the plan transport by statuses of the catalogue. */
const BY_STATUS: Readonly<Record<number, PlanErrorStatus>> = {
  400: 422,
  401: 401,
  403: 422,
  404: 422,
  405: 405,
  408: 503,
  409: 409,
  413: 422,
  414: 422,
  415: 422,
  422: 422,
  429: 503,
  500: 503,
  503: 503,
};

/** Codes whose status differs from that mapping. */
const BY_CODE: Partial<Record<AnyCode, PlanErrorStatus>> = {
  INSUFFICIENT_SCOPE: 401,
  CHAIN_NOT_ALLOWED: 401,
  SIGN_IN_REVOKED: 401,
  NONCE_IN_USE: 422,
};

/**
 * Returns the catalogue entry of a code in the plan transport, which has its own status; 503 is always retryable there.
 * @throws RangeError for an unmapped status
 */
export function planEntry(code: AnyCode): CatalogueEntry & { readonly status: PlanErrorStatus } {
  const entry = anyEntry(code);
  const status = BY_CODE[code] ?? BY_STATUS[entry.status];
  if (status === undefined) throw new RangeError(`${code}: the plan transport has no status for ${entry.status}`);
  return { ...entry, status, retryable: status === 503 };
}
