import type { Sha256Digest } from '../primitives/scalars.schema.js';
import type { BuildPlan } from './build-plan.schema.js';
import { beyondBuildProfile, type BuildFailure } from './build-profile.js';
import type { ReviewerPolicy } from './reviewer-policy.schema.js';

/** A file of a submission without its bytes. */
export interface PackagedFile {
  readonly path: string;
  readonly sha256: Sha256Digest;
  readonly byteCount: number;
}

/** The part of a submission that a plan is judged against. */
export interface PlannedSubmission {
  readonly requestDigest: Sha256Digest;
  readonly files: readonly PackagedFile[];
  /** The size that the descriptor declares, or the size of its defaults if that is larger. */
  readonly encodedConfigurationBytes: number;
}

/**
 * Returns the first problem that prevents a build of the plan, or null. Checks the capacity of the profile, then
 * policy, submission, files and targets. Does not check the digest of the Standard JSON, which needs the bytes of the
 * files.
 */
export function planProblem(
  plan: BuildPlan,
  policy: { readonly document: ReviewerPolicy; readonly digest: Sha256Digest },
  submission: PlannedSubmission,
): BuildFailure | null {
  const beyond = beyondBuildProfile({
    packagedBytes: submission.files.reduce((sum, { byteCount }) => sum + byteCount, 0),
    encodedConfigurationBytes: submission.encodedConfigurationBytes,
  });
  if (beyond !== null) return { code: 'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED', place: beyond };
  const mismatch = (place: string): BuildFailure => ({ code: 'PLAN_MISMATCH', place });
  const { document } = policy;
  if (plan.reviewerPolicyDigest !== policy.digest) return mismatch('/reviewerPolicyDigest');
  if (plan.submissionDigest !== submission.requestDigest) return mismatch('/submissionDigest');
  if (!document.buildProfiles.includes(plan.profile)) return mismatch('/profile');
  if (!document.compilerVersions.includes(plan.compilerVersion)) return mismatch('/compilerVersion');
  for (const name of ['cpuMs', 'memoryPages', 'outputBytes'] as const) {
    if (plan.limits[name] > document.limits[name]) return mismatch(`/limits/${name}`);
  }
  const packaged = new Map(submission.files.map(({ path, sha256 }) => [path, sha256]));
  const foreign = plan.sources.findIndex(({ path, sha256 }) => packaged.get(path) !== sha256);
  if (foreign >= 0) return mismatch(`/sources/${foreign}`);
  const sources = new Set(plan.sources.map(({ path }) => path));
  const homeless = plan.targets.findIndex(({ path }) => !sources.has(path));
  return homeless >= 0 ? mismatch(`/targets/${homeless}/path`) : null;
}
