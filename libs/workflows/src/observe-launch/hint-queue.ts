/** The 16 distinct hashes a client may name, and room for what the recovery finds when they are all wrong. */
const MAX_HINTS = 20;
const HASH = /^0x[0-9a-f]{64}$/;

/** Hashes to look at, in the order they came. A hint wakes the observer and has no other effect. */
export class HintQueue {
  private readonly hashes: string[] = [];
  private taken = 0;

  constructor(first: readonly string[]) {
    first.forEach((hash) => this.add(hash));
    this.taken = this.hashes.length;
  }

  /** Anything but a new, well-formed hash within the bound is ignored. */
  add(hash: unknown): void {
    if (typeof hash !== 'string' || !HASH.test(hash) || this.hashes.includes(hash) || this.hashes.length >= MAX_HINTS)
      return;
    this.hashes.push(hash);
  }

  /** All hashes so far; none of them is news after this. */
  take(): readonly string[] {
    this.taken = this.hashes.length;
    return [...this.hashes];
  }

  hasNews(): boolean {
    return this.hashes.length > this.taken;
  }
}
