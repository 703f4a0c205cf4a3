import type { StackOptions } from '@launch/start';

/** The origin in the sign-in messages of the shared stacks. */
export const SIGN_IN_ORIGIN = 'https://launch.example';

/**
 * Stacks that several suites use at the same time. A suite that changes a stack or kills a part of it starts its own.
 */
export const SHARED_STACKS = {
  /** The product for a launcher or an author of modules: the newest policy, finality V2, sign-in allowed. */
  launches: {
    without: [],
    launchBeforeEnd: true,
    serviceEnv: {
      'api-gateway': { SIWE_ENABLED: 'true', SIWE_ORIGIN: SIGN_IN_ORIGIN },
      // They log at the most verbose level, because a suite searches their logs for secrets.
      'module-review': { LOG_LEVEL: 'trace' },
      'module-builder': { LOG_LEVEL: 'trace' },
      'review-console': { LOG_LEVEL: 'trace' },
    },
  },
} as const satisfies Record<string, Partial<StackOptions>>;

export type SharedStackName = keyof typeof SHARED_STACKS;
