import type { AdmissionActivities, EvaluateSourceResult, LaunchRef } from '@launch/contracts/orchestration';
import { evaluateSourceLogic } from './evaluate-source.logic.js';

/** Marks the runs whose source decision is one activity; histories recorded before go through its steps one by one. */
export const ONE_JUDGEMENT_PATCH = 'one-judgement';

/** The source decision in the way that a run began with. */
export function judgeSource(
  admission: AdmissionActivities,
  ref: LaunchRef,
  isOneActivity: boolean,
  onStep: (step: string) => void = () => undefined,
): Promise<EvaluateSourceResult> {
  if (!isOneActivity) return evaluateSourceLogic(admission, ref, onStep);
  onStep('judge');
  return admission.judgeRequest(ref);
}
