import type { BlobReader, BlobStore } from '@launch/blob-store';
import { confinementFlags, findPinnedCompiler, type PinnedCompiler } from '@launch/compiler';
import { assertCanonicalJson, canonicalizeJson, decodeUtf8 } from '@launch/contracts/json';
import {
  buildFindingsSchema,
  buildPlanSchema,
  planProblem,
  type BuildFailure,
  type BuildLogs,
  type BuildPlan,
  type BuildToolchain,
  type HostManifest,
  type ReviewerPolicy,
} from '@launch/contracts/modules';
import type { BuildInput, BuildVerdict } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { findBuildFindings, type EarlierBuild } from '@launch/evm';
import { BuildError } from './build.error.js';
import { compileTwice, type CompileOnce } from './compile-twice.js';
import { readSubmission } from './submission.reader.js';

/** Dependencies of a build: no key among them. */
export interface EvidenceParts {
  /** Plans, submissions and their files. */
  readonly blobs: BlobReader;
  /** The builder's own store, the only one that it writes to: results, and those of earlier builds. */
  readonly results: BlobStore;
  readonly policy: { readonly document: ReviewerPolicy; readonly digest: Sha256Digest };
  readonly sourceCommit: string;
  /** Replaces the confined compiler in tests of the comparison. */
  readonly compile?: CompileOnce;
}

/** The result of a build, unsigned. */
export type EvidenceVerdict =
  | Extract<BuildVerdict, { status: 'failed' }>
  | (Omit<Extract<BuildVerdict, { status: 'built' }>, 'signature'> & { readonly submissionDigest: Sha256Digest });

export type BuildEvidence = (input: BuildInput, signal: AbortSignal) => Promise<EvidenceVerdict>;

/** The two files that the compiler's process may read, by their role: a manifest has no path of the host. */
const READABLE = ['solc.child', 'soljson'];

/**
 * Builds a plan: reads plan, submission and files by their digests, compiles twice, and stores the result. A fault of
 * the module or the plan is a verdict.
 * @throws BuildError, BlobError, CompilerError: no verdict.
 */
export function createBuildEvidence(parts: EvidenceParts): BuildEvidence {
  const { blobs, results, policy, sourceCommit } = parts;
  const keep = (document: unknown): Promise<Sha256Digest> => results.put(canonicalizeJson(document));
  const failed = ({ code, place }: BuildFailure): EvidenceVerdict => ({ status: 'failed', code, place });

  return async ({ submissionId, planSha256, earlier }, signal) => {
    const plan = await readPlan(blobs, planSha256);
    const submission = await readSubmission(blobs, plan.submissionDigest);
    const problem = planProblem(plan, policy, submission.planned);
    if (problem !== null) return failed(problem);
    const compiler = findPinnedCompiler(plan.compilerVersion);
    if (compiler === undefined) return failed({ code: 'PLAN_MISMATCH', place: '/compilerVersion' });

    const texts = new Map<string, string>();
    for (const [index, { path, sha256 }] of plan.sources.entries()) {
      const text = decodeUtf8(await blobs.get(sha256));
      if (text === undefined) return failed({ code: 'COMPILER_INPUT_INVALID', place: `/sources/${index}` });
      texts.set(path, text);
    }
    const compiled = await compileTwice(plan, texts, signal, parts.compile);
    if (compiled.kind === 'failure') return failed(compiled);

    const { artifact, runs } = compiled;
    const findings = findBuildFindings({
      submissionId,
      declared: submission.declared,
      artifact,
      texts,
      diagnostics: runs[0] ?? [],
      earlier: await earlierBuilds(results, earlier),
    });
    const logs: BuildLogs = {
      schemaVersion: 'service.modules.build-logs.v1',
      runs: runs.map((diagnostics) => ({ diagnostics: [...diagnostics] })),
    };
    const [artifactSha256, hostManifestSha256, toolchainSha256, logsSha256, findingsSha256] = await Promise.all([
      results.put(compiled.bytes),
      keep(hostManifestOf(plan, compiler, sourceCommit)),
      keep(toolchainOf(compiler)),
      keep(logs),
      keep(findings),
    ]);
    return {
      status: 'built',
      submissionDigest: plan.submissionDigest,
      artifactSha256,
      hostManifestSha256,
      toolchainSha256,
      logsSha256,
      findingsSha256,
    };
  };
}

async function readPlan(blobs: BlobReader, digest: Sha256Digest): Promise<BuildPlan> {
  const parsed = buildPlanSchema.safeParse(assertCanonicalJson(await blobs.get(digest)));
  if (!parsed.success) throw new BuildError('BUILD_INPUT_UNREADABLE', 'the plan is no build plan');
  return parsed.data;
}

const earlierBuilds = (results: BlobReader, earlier: BuildInput['earlier']): Promise<EarlierBuild[]> =>
  Promise.all(
    earlier.map(async ({ submissionId, findingsSha256 }) => {
      const parsed = buildFindingsSchema.safeParse(assertCanonicalJson(await results.get(findingsSha256)));
      if (!parsed.success) throw new BuildError('BUILD_INPUT_UNREADABLE', 'earlier findings are no build findings');
      return { submissionId, fingerprints: parsed.data.fingerprints };
    }),
  );

const compilerOf = ({ version, longVersion, sha256 }: PinnedCompiler): HostManifest['compiler'] => ({
  version,
  longVersion,
  sha256,
});

function hostManifestOf(plan: BuildPlan, compiler: PinnedCompiler, serviceCommit: string): HostManifest {
  return {
    schemaVersion: 'service.modules.host-manifest.v1',
    profile: plan.profile,
    compiler: compilerOf(compiler),
    limits: plan.limits,
    confinement: confinementFlags(READABLE, plan.limits.memoryPages),
    serviceCommit,
    reviewerPolicyDigest: plan.reviewerPolicyDigest,
  };
}

const toolchainOf = (compiler: PinnedCompiler): BuildToolchain => ({
  schemaVersion: 'service.modules.build-toolchain.v1',
  compiler: compilerOf(compiler),
  engine: { name: 'node', version: process.versions.node, v8: process.versions.v8 },
});
