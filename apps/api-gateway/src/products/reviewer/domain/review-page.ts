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

/**
 * The documents of a review besides the packaged files, by their names on the pages. `isResult`: the builder stored it
 * in its own store.
 */
export const documentsOf = (
  { planSha256, findingsSha256 }: ReviewedRow,
  { build }: ModuleReviewStatus,
): readonly { readonly path: string; readonly sha256: Sha256Digest; readonly isResult: boolean }[] =>
  [
    { path: 'build plan', sha256: planSha256, isResult: false },
    { path: 'build artifact', sha256: build?.artifactDigest ?? null, isResult: true },
    { path: 'host manifest', sha256: build?.hostManifestDigest ?? null, isResult: true },
    { path: 'toolchain', sha256: build?.toolchainDigest ?? null, isResult: true },
    { path: 'build logs', sha256: build?.logsSha256 ?? null, isResult: true },
    { path: 'build findings', sha256: findingsSha256, isResult: true },
  ].flatMap(({ sha256, ...document }) => (sha256 === null ? [] : [{ ...document, sha256 }]));
