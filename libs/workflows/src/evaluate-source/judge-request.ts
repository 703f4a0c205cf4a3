import type {
  AdmissionActivities,
  CompilationActivities,
  CompilationVerdict,
  EvaluateSourceResult,
  LaunchRef,
  LongCompilationActivities,
} from '@launch/contracts/orchestration';
import { evaluateSourceLogic } from './evaluate-source.logic.js';

/** Marks the runs that judge a request behind its compilation; histories recorded before go through the steps one by one. */
export const ONE_JUDGEMENT_PATCH = 'one-judgement';

export type Compilations = CompilationActivities & LongCompilationActivities;

/** Compiles a request: among the short compilations first, so that no short one waits for a long one. */
export async function compileSource(compilations: Compilations, ref: LaunchRef): Promise<CompilationVerdict> {
  const verdict = await compilations.compileRequest(ref);
  return verdict.kind === 'unfinished' ? compilations.compileLongRequest(ref) : verdict;
}

/** The source decision in the way that a run began with. */
export async function judgeSource(
  admission: AdmissionActivities,
  compilations: Compilations,
  ref: LaunchRef,
  isOneActivity: boolean,
  onStep: (step: string) => void = () => undefined,
): Promise<EvaluateSourceResult> {
  if (!isOneActivity) return evaluateSourceLogic(admission, ref, onStep);
  onStep('compile');
  const compilation = await compileSource(compilations, ref);
  onStep('judge');
  return admission.judgeRequest(ref, compilation);
}
