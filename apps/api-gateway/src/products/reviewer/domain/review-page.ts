import type { ModuleReviewStatus } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { ReviewedModule } from './reviewed-module.js';
import type { ReviewedRow } from '../data/review-queue.repository.js';

/** The contents of a reviewer's page: the submission, its files and the state of its review. */
export interface ReviewPage {
  readonly row: ReviewedRow;
  readonly module: ReviewedModule;
  readonly status: ModuleReviewStatus;
}

/** The documents of a review besides the packaged files, by their names on the pages. */
export const documentsOf = (
  { planSha256, findingsSha256 }: ReviewedRow,
  { build }: ModuleReviewStatus,
): readonly { readonly path: string; readonly sha256: Sha256Digest }[] =>
  [
    { path: 'build plan', sha256: planSha256 },
    { path: 'build artifact', sha256: build?.artifactDigest ?? null },
    { path: 'host manifest', sha256: build?.hostManifestDigest ?? null },
    { path: 'toolchain', sha256: build?.toolchainDigest ?? null },
    { path: 'build logs', sha256: build?.logsSha256 ?? null },
    { path: 'build findings', sha256: findingsSha256 },
  ].flatMap(({ path, sha256 }) => (sha256 === null ? [] : [{ path, sha256 }]));
