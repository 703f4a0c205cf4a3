import { MODULE_LIMITS, MODULES_PATH } from '@launch/contracts/modules';

/** Names the limits of module drafts. */
export const MODULE_INTAKE = Symbol('ModuleIntake');

/** A deployment's intake of modules; no limit is above the product's (docs/reference/modules.md#module-capabilities). */
export interface ModuleIntake {
  /** Whether the service accepts drafts. Reads and exact replays do not depend on it. */
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
