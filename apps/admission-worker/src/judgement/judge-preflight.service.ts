import type { ObserverPair } from '@launch/chain';
import type { JudgedCustomLaunch } from '@launch/evm';
import { travellingFindings } from '@launch/contracts/errors';
import type { CompilationVerdict, PreflightJudgement } from '@launch/contracts/orchestration';
import { decodeBase64 } from '@launch/contracts/primitives';
import { findingSchema } from '@launch/contracts/validation';
import { inflateNatively } from '@launch/images/node';
import { checksOf, CUSTOM_LAUNCH_EVALUATION, economicsOf } from '@launch/launch-rules';
import { z } from 'zod';
import { compiledLaunchSchema } from '../compilation/compiled-launch.schema.js';
import { externalCodesOf, materializedOf, requireChainOf } from '../graph/judge-graph.service.js';

/** Findings of a compilation, in the codes common to all families. */
const findingsSchema = z.array(findingSchema);

/**
 * Runs every admission check of a preflight of a custom-launch request or a plan, regardless of the others' findings.
 * Writes nothing and rehearses nothing.
 * @throws AdmissionError while the observers make no statement.
 */
export async function judgePreflight(
  request: JudgedCustomLaunch,
  compilation: CompilationVerdict,
  l2: ObserverPair,
): Promise<PreflightJudgement> {
  await requireChainOf(request, l2);
  const [externalCodes, materialized] = await Promise.all([externalCodesOf(request, l2), materializedOf(request, l2)]);
  const { additionalFiles, imagePath } = request.source;
  const image = additionalFiles.find(({ path }) => path === imagePath);
  const checks = checksOf(CUSTOM_LAUNCH_EVALUATION, {
    request,
    image: image === undefined ? null : decodeBase64(image.base64),
    inflate: inflateNatively,
    compilation: { findings: compilation.kind === 'refused' ? findingsSchema.parse(compilation.findings) : [] },
    // Needed only if the sources compiled to the declared code.
    compiled: compilation.kind === 'compiled' ? compiledLaunchSchema.parse(compilation.compiled) : { components: [] },
    externalCodes,
    materialized,
    economics: economicsOf(request),
  });
  return { checks: bounded(checks) };
}

/** Bounds the findings of all checks to the workflow's limit; keeps the first in order. */
function bounded(checks: PreflightJudgement['checks']): PreflightJudgement['checks'] {
  const kept = new Set(travellingFindings(checks.flatMap((check) => check.findings)));
  return checks.map((check) => ({ ...check, findings: check.findings.filter((one) => kept.has(one)) }));
}
