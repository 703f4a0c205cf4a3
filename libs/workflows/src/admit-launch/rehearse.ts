import type { AnyFinding } from '@launch/contracts/errors';
import type {
  AdmissionActivities,
  EvaluateSourceResult,
  LaunchRef,
  StatementSignature,
} from '@launch/contracts/orchestration';
import { signatureOf } from './signature-of.js';

/** Findings that deny a permit, with admission's signature of them. */
export interface Denial {
  readonly findings: readonly AnyFinding[];
  readonly signed?: StatementSignature;
}

/**
 * Returns the findings that deny a permit to a launch with a supported source; empty if it may get one. The step
 * decides how long a repetition is useful, and custody judges a window that passed.
 */
export async function rehearsalRefusal(
  admission: Pick<AdmissionActivities, 'rehearseLaunch'>,
  ref: LaunchRef,
  { economicsHash }: Pick<EvaluateSourceResult, 'economicsHash'>,
): Promise<Denial> {
  // Supported means recognised. Without economics there is no permit either; custody refuses that.
  if (economicsHash === null) return { findings: [] };
  const verdict = await admission.rehearseLaunch(ref, economicsHash);
  return verdict.kind === 'reverted' || verdict.kind === 'indeterminate'
    ? { findings: verdict.findings, ...signatureOf(verdict) }
    : { findings: [] };
}
