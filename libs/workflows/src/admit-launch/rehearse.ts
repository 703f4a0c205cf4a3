import type { AnyFinding } from '@launch/contracts/errors';
import type { AdmissionActivities, EvaluateSourceResult, LaunchRef } from '@launch/contracts/orchestration';

/**
 * Why a launch whose source is supported gets no permit all the same; empty when it may. The step itself says for how
 * long it is worth asking again; of a window that passed custody says what it says of every other.
 */
export async function rehearsalRefusal(
  admission: Pick<AdmissionActivities, 'rehearseLaunch'>,
  ref: LaunchRef,
  { economicsHash }: Pick<EvaluateSourceResult, 'economicsHash'>,
): Promise<readonly AnyFinding[]> {
  // Supported means recognised: without economics there is no permit either, and custody says so.
  if (economicsHash === null) return [];
  const verdict = await admission.rehearseLaunch(ref, economicsHash);
  return verdict.kind === 'reverted' || verdict.kind === 'indeterminate' ? verdict.findings : [];
}
