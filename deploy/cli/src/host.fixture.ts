import type { Host } from './command.types.js';

/** Returns the surroundings of a command in a test: an empty environment, and no progress. */
export const hostOf = (change: Partial<Host> = {}): Host => ({
  env: {},
  release: () => ({ sourceCommit: '1'.repeat(40), sourceTree: '2'.repeat(40) }),
  progress: () => undefined,
  ...change,
});
