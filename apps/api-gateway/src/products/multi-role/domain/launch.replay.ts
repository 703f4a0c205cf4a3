import type { AnyFinding, ErrorCode } from '@launch/contracts/errors';
import type { LaunchResource } from '@launch/contracts/multi-role';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import { statusUrlOf } from './launch.resource.js';
import type { LaunchRow } from '../data/launch.row.js';

/**
 * Findings that give a refused launch a code of its own. Every other refusal is reported as missing or contradicted
 * evidence.
 */
const OWN_CODES: readonly ErrorCode[] = ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'];

/** Returns the code with which a refused launch is replayed. */
export const refusalCode = (findings: readonly AnyFinding[]): ErrorCode =>
  OWN_CODES.find((code) => findings.some((one) => one.code === code)) ?? 'MULTI_ROLE_EVIDENCE_REQUIRED';

/**
 * Returns the answer to a create under a known key: the current resource, or the original refusal with the original
 * status route. A replay never causes a new permit or a second reservation.
 * @throws ApiError `IDEMPOTENCY_CONFLICT`, `MULTI_ROLE_ADMISSION_PENDING`, `MULTI_ROLE_EVIDENCE_REQUIRED` or an
 * opcode's own code.
 */
export function replayAnswer(
  record: { readonly bodySha256: Sha256Digest; readonly launch: LaunchRow },
  bodySha256: Sha256Digest,
  resource: LaunchResource,
): LaunchResource {
  const { launch } = record;
  const statusUrl = statusUrlOf(launch.launchId);
  if (record.bodySha256 !== bodySha256) throw new ApiError('IDEMPOTENCY_CONFLICT', { statusUrl });
  const headers = { location: statusUrl, 'idempotency-replayed': 'true' };
  switch (launch.status) {
    case 'reserved':
    case 'admitting':
      throw new ApiError('MULTI_ROLE_ADMISSION_PENDING', { statusUrl, retryAfterSeconds: 1, headers });
    case 'action_required':
      throw new ApiError(refusalCode(launch.findings), { statusUrl, findings: launch.findings, headers });
    default:
      return resource;
  }
}
