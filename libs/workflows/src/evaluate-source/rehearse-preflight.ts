import type { AnyFinding } from '@launch/contracts/errors';
import type { AdmissionActivities, EvaluateSourceResult, LaunchRef } from '@launch/contracts/orchestration';

/** The most milliseconds of a rehearsal, and those that remain of the client's timeout for the response. */
const REHEARSAL_MS = 10_000;
const ANSWER_MS = 3_000;
/** A rehearsal with less time than this does not begin. */
const LEAST_MS = 1_000;

/**
 * Returns the milliseconds that a preflight's rehearsal may take, or null for none. A finished evaluation must reach
 * its client with or without a rehearsal.
 * @param left milliseconds until the client's timeout.
 */
export function rehearsalBudget(left: number): number | null {
  const budget = Math.min(REHEARSAL_MS, left - ANSWER_MS);
  return budget >= LEAST_MS ? budget : null;
}

/**
 * Adds a warning to an evaluation if the launch would revert. A refused source is not rehearsed, and an unknown result
 * adds nothing.
 * @param rehearse one bounded attempt; it rejects when it is cancelled with its workflow.
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
    // A failure here is not about the source, so its evaluation stays unchanged.
    if (isCancellation(error)) throw error;
    return evaluation;
  }
}

const asWarning = (one: AnyFinding): AnyFinding => ({ ...one, severity: 'warning' });
