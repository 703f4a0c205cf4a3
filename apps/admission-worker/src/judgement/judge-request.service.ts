import type { AnyFinding } from '@launch/contracts/errors';
import type { CompilationVerdict, EvaluateSourceResult, LaunchRef } from '@launch/contracts/orchestration';
import type { StepProgress } from '@launch/worker';
import type { AdmissionSteps } from '../admission.steps.js';
import { compiledLaunchSchema } from '../compilation/compiled-launch.schema.js';

export type JudgementSteps = Pick<AdmissionSteps, 'judgeGraph' | 'judgeEconomics' | 'issueReceipt'>;

/**
 * Makes the source decision after the compilation, cheapest refusal first: graph and deployed runtimes, then economics.
 * A finding of the compilation or of a step ends it; the receipt records the findings in any case.
 */
export async function judgeRequest(
  steps: JudgementSteps,
  ref: LaunchRef,
  compilation: CompilationVerdict,
  progress: Pick<StepProgress, 'reach'>,
): Promise<EvaluateSourceResult> {
  const reach = (step: keyof JudgementSteps): void => progress.reach({ step });
  const refuse = async (findings: readonly AnyFinding[]): Promise<EvaluateSourceResult> => {
    reach('issueReceipt');
    return {
      receipt: await steps.issueReceipt({ ref, findings, economicsHash: null, recipe: null, materialized: [] }),
      economicsHash: null,
      findings,
    };
  };

  if (compilation.kind === 'refused') return refuse(compilation.findings);

  reach('judgeGraph');
  const graph = await steps.judgeGraph(ref, compiledLaunchSchema.parse(compilation.compiled));
  if (graph.findings.length > 0) return refuse(graph.findings);

  reach('judgeEconomics');
  const { findings, economicsHash, recipe } = await steps.judgeEconomics(ref);
  reach('issueReceipt');
  const receipt = await steps.issueReceipt({ ref, findings, economicsHash, recipe, materialized: graph.materialized });
  return { receipt, economicsHash, findings };
}
