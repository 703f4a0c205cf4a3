import type { ObserverPair } from '@launch/chain';
import type { Compiler } from '@launch/compiler';
import { decodeBase64, travellingFindings, type JudgedCustomLaunch } from '@launch/contracts';
import type { PreflightJudgement } from '@launch/contracts/orchestration';
import { inflateNatively } from '@launch/images/node';
import { checksOf, CUSTOM_LAUNCH_EVALUATION, economicsOf } from '@launch/launch-rules';
import { compileDeclared } from '../compilation/compile-and-match.service.js';
import { externalCodesOf, materializedOf, requireChainOf } from '../graph/judge-graph.service.js';

/**
 * Every check of a preflight that a request of spec 1's families gets from admission, whatever another one found: the
 * compiler and the chain are asked side by side. Nothing is written and nothing rehearsed.
 * @throws AdmissionError while the observers or the compiler make no statement.
 */
export async function judgePreflight(
  request: JudgedCustomLaunch,
  deps: { readonly compiler: Compiler; readonly l2: ObserverPair },
  signal: AbortSignal,
): Promise<PreflightJudgement> {
  const { compiler, l2 } = deps;
  const onChain = async () => {
    await requireChainOf(request, l2);
    return Promise.all([externalCodesOf(request, l2), materializedOf(request, l2)]);
  };
  const [{ findings, compiled }, [externalCodes, materialized]] = await Promise.all([
    compileDeclared(request, compiler, signal),
    onChain(),
  ]);
  const { additionalFiles, imagePath } = request.source;
  const image = additionalFiles.find(({ path }) => path === imagePath);
  const checks = checksOf(CUSTOM_LAUNCH_EVALUATION, {
    request,
    image: image === undefined ? null : decodeBase64(image.base64),
    inflate: inflateNatively,
    compilation: { findings },
    // Asked only where the sources compiled to what is declared.
    compiled: compiled ?? { components: [] },
    externalCodes,
    materialized,
    economics: economicsOf(request),
  });
  return { checks: bounded(checks) };
}

/** All checks with what a workflow may carry of their findings: in order, the first are kept. */
function bounded(checks: PreflightJudgement['checks']): PreflightJudgement['checks'] {
  const kept = new Set(travellingFindings(checks.flatMap((check) => check.findings)));
  return checks.map((check) => ({ ...check, findings: check.findings.filter((one) => kept.has(one)) }));
}
