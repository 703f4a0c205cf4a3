import { createCompiler, type BuildOutput, type BuildRefusal } from '@launch/compiler';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  standardJsonOf,
  type ArtifactTarget,
  type BuildArtifact,
  type BuildDiagnostic,
  type BuildFailure,
  type BuildPlan,
} from '@launch/contracts/modules';
import { sha256Digest } from '@launch/contracts/primitives';

/** One compilation in a process of its own. */
export type CompileOnce = (
  plan: BuildPlan,
  input: Uint8Array,
  signal: AbortSignal,
) => Promise<{ readonly output: BuildOutput } | { readonly refusal: BuildRefusal }>;

export type CompiledTwice =
  | {
      readonly kind: 'artifact';
      readonly artifact: BuildArtifact;
      /** Canonical JSON of the artifact. */
      readonly bytes: Uint8Array;
      readonly runs: readonly (readonly BuildDiagnostic[])[];
    }
  | ({ readonly kind: 'failure' } & BuildFailure);

/** Compiles once under the plan's limits, with a separate compiler without cache, which ends before the answer. */
export const compileOnce: CompileOnce = async (plan, input, signal) => {
  const { compilerVersion: version, limits, targets } = plan;
  const compiler = createCompiler({
    versions: [version],
    timeoutMs: limits.cpuMs,
    memoryPages: limits.memoryPages,
    maxOutputBytes: limits.outputBytes,
    concurrency: 1,
  });
  try {
    const verdict = await compiler.build({ version, standardJsonInput: input, targets, signal });
    return verdict.verdict === 'built' ? { output: verdict.output } : { refusal: verdict.refusal };
  } finally {
    await compiler.close();
  }
};

/**
 * Builds the Standard JSON of a plan from the texts of its sources, which must match the plan's digest, compiles it
 * twice separately, and compares the results byte by byte. A fault of the module is a failure.
 * @throws CompilerError for faults of the machine.
 */
export async function compileTwice(
  plan: BuildPlan,
  texts: ReadonlyMap<string, string>,
  signal: AbortSignal,
  compile: CompileOnce = compileOnce,
): Promise<CompiledTwice> {
  const input = standardJsonOf(plan, texts);
  if (sha256Digest(input) !== plan.standardJsonInputSha256) {
    return { kind: 'failure', code: 'PLAN_MISMATCH', place: '/standardJsonInputSha256' };
  }
  const runs: { artifact: BuildArtifact; bytes: Uint8Array; diagnostics: readonly BuildDiagnostic[] }[] = [];
  for (let run = 0; run < 2; run += 1) {
    const answer = await compile(plan, input, signal);
    if ('refusal' in answer) return { kind: 'failure', ...failureOf(plan, answer.refusal) };
    const targets = targetsOf(plan, answer.output);
    if ('missing' in targets) return { kind: 'failure', code: 'TARGET_MISSING', place: `/targets/${targets.missing}` };
    const artifact: BuildArtifact = {
      schemaVersion: 'service.modules.build-artifact.v1',
      profile: plan.profile,
      compiler: answer.output.compiler,
      standardJsonInputSha256: plan.standardJsonInputSha256,
      sources: plan.sources,
      targets: targets.found,
    };
    runs.push({ artifact, bytes: canonicalizeJson(artifact), diagnostics: answer.output.diagnostics });
  }
  const [first, second] = runs as [(typeof runs)[0], (typeof runs)[0]];
  if (Buffer.compare(first.bytes, second.bytes) !== 0) {
    return { kind: 'failure', code: 'NON_REPRODUCIBLE', place: firstDifference(first.artifact, second.artifact) };
  }
  const { artifact, bytes } = first;
  return { kind: 'artifact', artifact, bytes, runs: runs.map(({ diagnostics }) => diagnostics) };
}

/** Returns the plan's targets in the plan's order, or the index of one that the sources lack. */
function targetsOf(plan: BuildPlan, { contracts }: BuildOutput): { found: ArtifactTarget[] } | { missing: number } {
  const found: ArtifactTarget[] = [];
  for (const [index, { path, contract }] of plan.targets.entries()) {
    const built = contracts.find((one) => one.path === path && one.contract === contract);
    if (built === undefined) return { missing: index };
    found.push(built);
  }
  return { found };
}

/** Returns a failure whose place names a source by its index in the plan, never by its path. */
function failureOf({ sources }: BuildPlan, refusal: BuildRefusal): BuildFailure {
  switch (refusal.kind) {
    case 'input':
      return { code: 'COMPILER_INPUT_INVALID', place: '' };
    case 'limit':
      return { code: refusal.limit === 'time' ? 'COMPILER_TIMEOUT' : 'COMPILER_OUT_OF_MEMORY', place: refusal.limit };
    case 'errors': {
      const [first] = refusal.errors;
      if (first === undefined) return { code: 'COMPILER_ERROR', place: '' };
      const { type, errorCode, sourceLocation } = first;
      const name = errorCode === null ? type : `${type} ${errorCode}`;
      if (sourceLocation === null) return { code: 'COMPILER_ERROR', place: name };
      const { file, start, end } = sourceLocation;
      const index = sources.findIndex(({ path }) => path === file);
      const place = index < 0 ? '' : ` at /sources/${index}:${start}-${end}`;
      return { code: 'COMPILER_ERROR', place: `${name}${place}` };
    }
  }
}

/** Returns the first target whose builds differ; the documents' other members are the plan's. */
function firstDifference(first: BuildArtifact, second: BuildArtifact): string {
  const index = first.targets.findIndex(
    (target, at) => Buffer.compare(canonicalizeJson(target), canonicalizeJson(second.targets[at])) !== 0,
  );
  return `/targets/${index}`;
}
