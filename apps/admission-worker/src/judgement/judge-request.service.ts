import type { AnyFinding, EvaluateSourceResult, LaunchRef } from '@launch/contracts/orchestration';
import type { StepProgress } from '@launch/worker';
import { z } from 'zod';
import type { AdmissionSteps } from '../admission.steps.js';
import { compiledLaunchSchema, type CompiledLaunch } from '../compilation/compiled-launch.schema.js';

/** What this activity tells in its heartbeats: an attempt after one that failed does not compile again. */
const reachedSchema = z.strictObject({ step: z.string(), compiled: compiledLaunchSchema.nullable() });

export type JudgementSteps = Pick<
  AdmissionSteps,
  'scanDeclaredRuntimes' | 'compileAndMatch' | 'judgeGraph' | 'judgeEconomics' | 'issueReceipt'
>;

/**
 * The source decision, cheapest refusal first: declared runtimes, compile and match, graph and what really deploys,
 * economics. A step that finds something ends it; the receipt records what was found either way.
 */
export async function judgeRequest(
  steps: JudgementSteps,
  ref: LaunchRef,
  progress: StepProgress,
  signal: AbortSignal,
): Promise<EvaluateSourceResult> {
  let compiled: CompiledLaunch | null = reachedSchema.safeParse(progress.earlier).data?.compiled ?? null;
  const reach = (step: keyof JudgementSteps): void => {
    const reached: z.infer<typeof reachedSchema> = { step, compiled };
    progress.reach(reached);
  };
  const refuse = async (findings: readonly AnyFinding[]): Promise<EvaluateSourceResult> => {
    reach('issueReceipt');
    return {
      receipt: await steps.issueReceipt({ ref, findings, economicsHash: null, recipe: null, materialized: [] }),
      economicsHash: null,
      findings,
    };
  };

  if (compiled === null) {
    reach('scanDeclaredRuntimes');
    const declared = await steps.scanDeclaredRuntimes(ref);
    if (declared.findings.length > 0) return refuse(declared.findings);

    reach('compileAndMatch');
    const outcome = await steps.compileAndMatch(ref, signal);
    if (outcome.findings.length > 0 || outcome.compiled === null) return refuse(outcome.findings);
    compiled = outcome.compiled;
  }

  reach('judgeGraph');
  const graph = await steps.judgeGraph(ref, compiled);
  if (graph.findings.length > 0) return refuse(graph.findings);

  reach('judgeEconomics');
  const { findings, economicsHash, recipe } = await steps.judgeEconomics(ref);
  reach('issueReceipt');
  const receipt = await steps.issueReceipt({ ref, findings, economicsHash, recipe, materialized: graph.materialized });
  return { receipt, economicsHash, findings };
}
