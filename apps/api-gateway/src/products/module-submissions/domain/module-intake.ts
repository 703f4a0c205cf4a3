import { MODULE_LIMITS, MODULES_PATH } from '@launch/contracts';

/** What a deployment takes of modules; none of its limits is above the product's (decision 66). */
export interface ModuleIntake {
  /** False: drafts are refused, reads and exact replays go on. */
  readonly submissions: boolean;
  readonly limits: IntakeLimits;
}

/** Bytes and counts. */
export interface IntakeLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  readonly maxRequestBytes: number;
}

export const DEFAULT_MODULE_INTAKE: ModuleIntake = {
  submissions: true,
  limits: {
    maxFiles: MODULE_LIMITS.maxFiles,
    maxFileBytes: MODULE_LIMITS.maxFileBytes,
    maxTotalBytes: MODULE_LIMITS.maxTotalBytes,
    maxRequestBytes: MODULE_LIMITS.maxRequestBytes,
  },
};

export const SUBMISSIONS_PATH = `${MODULES_PATH}/submissions`;
export const submissionUrl = (submissionId: string): string => `${SUBMISSIONS_PATH}/${submissionId}`;
