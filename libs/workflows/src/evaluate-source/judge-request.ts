import type {
  AdmissionActivities,
  CompilationActivities,
  CompilationVerdict,
  EvaluateSourceResult,
  LaunchRef,
  LongCompilationActivities,
} from '@launch/contracts/orchestration';

export type Compilations = CompilationActivities & LongCompilationActivities;

/** Compiles a request, first on the queue of short compilations, so that no short one waits for a long one. */
export async function compileSource(compilations: Compilations, ref: LaunchRef): Promise<CompilationVerdict> {
  const verdict = await compilations.compileRequest(ref);
  return verdict.kind === 'unfinished' ? compilations.compileLongRequest(ref) : verdict;
}

/** Compiles a multi-role request and decides about its source. */
export async function judgeSource(
  admission: Pick<AdmissionActivities, 'judgeRequest'>,
  compilations: Compilations,
  ref: LaunchRef,
  onStep: (step: string) => void = () => undefined,
): Promise<EvaluateSourceResult> {
  onStep('compile');
  const compilation = await compileSource(compilations, ref);
  onStep('judge');
  return admission.judgeRequest(ref, compilation);
}
