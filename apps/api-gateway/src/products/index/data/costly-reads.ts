/** A read that takes less is not kept: asking again costs next to nothing. */
const FREE_MS = 50;
/** An answer is kept for so many times as long as its read took: the same question costs a twentieth of one connection. */
const KEPT_TIMES = 20;
const MAX_KEPT_MS = 300_000;
const MAX_NAMES = 4_096;

interface Known<T> {
  readonly answer: Promise<T>;
  /** Until when the answer is good; infinite while it is read. */
  until: number;
}

/**
 * Answers to questions whose cost strangers decide, such as a sum over all trades of a coin. One question is read once at
 * a time, and the longer its read took, the longer its answer is kept. So no question, however often it is asked, keeps
 * the database busy.
 */
export class CostlyReads<T> {
  private readonly known = new Map<string, Known<T>>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws what the read throws, for all who wait for it; the next is tried anew. */
  recall(name: string, read: () => Promise<T>): Promise<T> {
    const known = this.known.get(name);
    if (known !== undefined && this.now() < known.until) return known.answer;
    const began = this.now();
    const entry: Known<T> = { answer: read(), until: Infinity };
    for (const oldest of this.known.keys()) {
      if (this.known.size < MAX_NAMES) break;
      this.known.delete(oldest);
    }
    this.known.delete(name);
    this.known.set(name, entry);
    entry.answer.then(
      () => {
        const took = this.now() - began;
        if (took < FREE_MS) this.forget(name, entry);
        else entry.until = this.now() + Math.min(MAX_KEPT_MS, KEPT_TIMES * took);
      },
      () => this.forget(name, entry),
    );
    return entry.answer;
  }

  private forget(name: string, entry: Known<T>): void {
    if (this.known.get(name) === entry) this.known.delete(name);
  }
}
