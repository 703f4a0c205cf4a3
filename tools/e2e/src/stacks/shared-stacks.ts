import type { StackOptions } from '@launch/start';

/**
 * Stacks that several suites use at the same time. A suite that changes a stack or kills a part of it starts its own.
 */
export const SHARED_STACKS = {
  /** The product for a launcher or an author of modules: the newest policy, finality V2, the website and sign-in. */
  launches: {
    without: [],
    // Wallets sign in on its pages.
    site: true,
    launchBeforeEnd: true,
    serviceEnv: {
      // They log at the most verbose level, because a suite searches their logs for secrets.
      'module-review': { LOG_LEVEL: 'trace' },
      'module-builder': { LOG_LEVEL: 'trace' },
      'review-console': { LOG_LEVEL: 'trace' },
    },
  },
} as const satisfies Record<string, Partial<StackOptions>>;

export type SharedStackName = keyof typeof SHARED_STACKS;
