import type { StackOptions } from '@launch/start';

/** The origin that sign-in messages of the shared stacks are for. */
export const SIGN_IN_ORIGIN = 'https://launch.example';

/**
 * Stacks that several suites use side by side. A suite that changes a stack, or kills a part of it, starts one of its
 * own.
 */
export const SHARED_STACKS = {
  /** The product as a launcher or an author of modules finds it: the newest policy, finality V2, signing in allowed. */
  launches: {
    without: [],
    launchBeforeEnd: true,
    serviceEnv: {
      'api-gateway': { SIWE_ENABLED: 'true', SIWE_ORIGIN: SIGN_IN_ORIGIN },
      // They log all they can: a suite looks for what may stand in no log.
      'module-review': { LOG_LEVEL: 'trace' },
      'module-builder': { LOG_LEVEL: 'trace' },
      'review-console': { LOG_LEVEL: 'trace' },
    },
  },
} as const satisfies Record<string, Partial<StackOptions>>;

export type SharedStackName = keyof typeof SHARED_STACKS;
