import {
  BUILD_PROFILE_CAPACITY,
  packagedFiles,
  type ModulePackage,
  type ModuleSubmission,
  type PlannedSubmission,
} from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { encodedDefaultsBytes } from './configuration-encoding.js';

/** Returns the parts of a submission that judge a plan over it. */
export const plannedSubmission = (submission: ModuleSubmission, requestDigest: Sha256Digest): PlannedSubmission => ({
  requestDigest,
  files: packagedFiles(submission),
  encodedConfigurationBytes: encodedConfigurationBytes(submission.package.configuration),
});

/**
 * Returns the larger of the declared size and the size of the defaults. A descriptor may declare less than its own
 * defaults need, and the profile must accept both.
 */
const encodedConfigurationBytes = ({ fields, maxEncodedBytes }: ModulePackage['configuration']): number =>
  Math.max(maxEncodedBytes, encodedDefaultsBytes(fields, BUILD_PROFILE_CAPACITY.encodedConfigurationBytes));
