import {
  packagedFiles,
  storedSubmission,
  type ModulePackage,
  type ModuleSubmission,
  type ReviewedFile,
} from '@launch/contracts/modules';
import type { RequestForm } from '../../../platform/request-forms/request-form.js';

/** A submission without the bytes of its files, as plain data. */
export interface ReviewedModule {
  readonly descriptor: ModulePackage;
  /** In the order of their paths. */
  readonly files: readonly ReviewedFile[];
}

/** Reads a stored request. @throws TypeError for bytes that intake would not have stored. */
export function readReviewedModule(bytes: Uint8Array): ReviewedModule {
  const submission: ModuleSubmission | null = storedSubmission(bytes);
  if (submission === null) throw new TypeError('the submission is no module submission');
  return {
    descriptor: submission.package,
    files: packagedFiles(submission).sort((left, right) => (left.path < right.path ? -1 : 1)),
  };
}

/** Reads only the files: a descriptor can be as large as the whole request, and few pages need it. */
export const reviewedFilesForm: RequestForm<null, { readonly files: readonly ReviewedFile[] }> = {
  name: 'module-review',
  read: (bytes) => ({ files: readReviewedModule(bytes).files }),
};
