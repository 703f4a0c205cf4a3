import { MAX_HINTS } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';

const HASH = /^0x[0-9a-f]{64}$/;

const isHash = (hash: unknown): hash is Hex => typeof hash === 'string' && HASH.test(hash);

/** Hashes to observe, in their order of arrival. A hint wakes the observer and has no other effect. */
export class HintQueue {
  private readonly hashes: Hex[] = [];
  private taken = 0;

  constructor(first: readonly Hex[]) {
    first.forEach((hash) => this.add(hash));
    this.taken = this.hashes.length;
  }

  /** Anything but a new, well-formed hash within the bound is ignored. */
  add(hash: unknown): void {
    if (!isHash(hash) || this.hashes.includes(hash) || this.hashes.length >= MAX_HINTS) return;
    this.hashes.push(hash);
  }

  /** Returns all hashes so far and marks them as known. */
  take(): readonly Hex[] {
    this.taken = this.hashes.length;
    return [...this.hashes];
  }

  hasNews(): boolean {
    return this.hashes.length > this.taken;
  }
}
