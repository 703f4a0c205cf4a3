import type { AnyFinding } from '@launch/contracts/errors';
import type { AdmissionActivities, EvaluateSourceResult, LaunchRef } from '@launch/contracts/orchestration';

type Evaluator = Pick<
  AdmissionActivities,
  'scanDeclaredRuntimes' | 'compileAndMatch' | 'judgeGraph' | 'judgeEconomics' | 'issueReceipt'
>;

/**
 * The source decision, cheapest refusal first: declared runtimes, compile and match,
 * graph and what really deploys, economics. A step that fails ends the evaluation;
 * the receipt records what was found either way.
 */
export async function evaluateSourceLogic(
  admission: Evaluator,
  ref: LaunchRef,
  onStep: (step: string) => void = () => undefined,
): Promise<EvaluateSourceResult> {
  const refuse = async (findings: readonly AnyFinding[]): Promise<EvaluateSourceResult> => ({
    receipt: await admission.issueReceipt({ ref, findings, economicsHash: null, recipe: null, materialized: [] }),
    economicsHash: null,
    findings,
  });

  onStep('scan');
  const declared = await admission.scanDeclaredRuntimes(ref);
  if (declared.findings.length > 0) return refuse(declared.findings);

  onStep('compile');
  const compiled = await admission.compileAndMatch(ref);
  if (compiled.findings.length > 0 || compiled.compiledSha256 === null) return refuse(compiled.findings);

  onStep('graph');
  const graph = await admission.judgeGraph(ref, compiled.compiledSha256);
  if (graph.findings.length > 0) return refuse(graph.findings);

  onStep('economics');
  const economics = await admission.judgeEconomics(ref, compiled.compiledSha256);
  const receipt = await admission.issueReceipt({
    ref,
    findings: economics.findings,
    economicsHash: economics.economicsHash,
    recipe: economics.recipe,
    materialized: graph.materialized,
  });
  return { receipt, economicsHash: economics.economicsHash, findings: economics.findings };
}
