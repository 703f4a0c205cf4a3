import type { MiningTask } from '@launch/multi-role';

/** A task that no address satisfies, because none has a bit above the fourteen: every try is made, so luck plays no part. */
export const exhaustingTask = (maxAttempts: number): MiningTask => ({
  router: `0x${'a'.repeat(40)}`,
  controller: `0x${'b'.repeat(40)}`,
  nonce: 7n,
  initCodeHash: `0x${'c'.repeat(64)}`,
  hookFlags: 1 << 14,
  maxAttempts,
});
