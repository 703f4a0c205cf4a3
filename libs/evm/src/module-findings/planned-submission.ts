import {
  BUILD_PROFILE_CAPACITY,
  packagedFiles,
  type ModulePackage,
  type ModuleSubmission,
  type PlannedSubmission,
} from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { encodedDefaultsBytes } from './configuration-encoding.js';

/** What a plan over a submission is judged against. */
export const plannedSubmission = (submission: ModuleSubmission, requestDigest: Sha256Digest): PlannedSubmission => ({
  requestDigest,
  files: packagedFiles(submission),
  encodedConfigurationBytes: encodedConfigurationBytes(submission.package.configuration),
});

/** A descriptor may declare less than its own defaults take: the profile has to take both. */
const encodedConfigurationBytes = ({ fields, maxEncodedBytes }: ModulePackage['configuration']): number =>
  Math.max(maxEncodedBytes, encodedDefaultsBytes(fields, BUILD_PROFILE_CAPACITY.encodedConfigurationBytes));
