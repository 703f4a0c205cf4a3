import type { AnyFinding } from '@launch/contracts/errors';
import type { AdmissionActivities, EvaluateSourceResult, LaunchRef } from '@launch/contracts/orchestration';

/** How long a rehearsal may take at most, and how much of the client's patience is left for the answer. */
const REHEARSAL_MS = 10_000;
const ANSWER_MS = 3_000;
/** Less than this is not worth beginning with. */
const LEAST_MS = 1_000;

/**
 * Milliseconds a preflight's rehearsal may take, null for none: an evaluation that is done must reach its client, with a
 * rehearsal or without.
 * @param left until the client gives up.
 */
export function rehearsalBudget(left: number): number | null {
  const budget = Math.min(REHEARSAL_MS, left - ANSWER_MS);
  return budget >= LEAST_MS ? budget : null;
}

/**
 * The same evaluation with a warning beside it when the launch would revert. A refused source is not rehearsed, and what
 * could not be found out adds nothing.
 * @param rehearse One attempt, bounded; it rejects when it is cancelled with its workflow.
 */
export async function withRehearsal(
  evaluation: EvaluateSourceResult,
  ref: LaunchRef,
  rehearse: AdmissionActivities['rehearseLaunch'],
  isCancellation: (error: unknown) => boolean,
): Promise<EvaluateSourceResult> {
  const { economicsHash, receipt } = evaluation;
  if (receipt.disposition !== 'source_supported' || economicsHash === null) return evaluation;
  try {
    const verdict = await rehearse(ref, economicsHash);
    return verdict.kind === 'reverted'
      ? { ...evaluation, findings: [...evaluation.findings, ...verdict.findings.map(asWarning)] }
      : evaluation;
  } catch (error) {
    // A failure here says nothing of the source: its evaluation stands as it is.
    if (isCancellation(error)) throw error;
    return evaluation;
  }
}

const asWarning = (one: AnyFinding): AnyFinding => ({ ...one, severity: 'warning' });
