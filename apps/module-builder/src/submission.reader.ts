import type { BlobReader } from '@launch/blob-store';
import { storedSubmission, type PlannedSubmission } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { plannedSubmission, type DeclaredModule } from '@launch/evm';
import { BuildError } from './build.error.js';

/** A submission with the members that a build needs. */
export interface ReadSubmission {
  readonly planned: PlannedSubmission;
  readonly declared: DeclaredModule;
}

/**
 * Reads a submission's request by its digest.
 * @throws BuildError `BUILD_INPUT_UNREADABLE` for bytes that intake would not have stored.
 */
export async function readSubmission(blobs: BlobReader, requestDigest: Sha256Digest): Promise<ReadSubmission> {
  const submission = storedSubmission(await blobs.get(requestDigest));
  if (submission === null) throw new BuildError('BUILD_INPUT_UNREADABLE', 'the submission is no module submission');
  return { planned: plannedSubmission(submission, requestDigest), declared: submission.package };
}
