/** A faster read is not cached, since repeating it costs almost nothing. */
const FREE_MS = 50;
/** An answer is cached for this multiple of its read's duration, so one query uses at most a twentieth of one connection. */
const KEPT_TIMES = 20;
const MAX_KEPT_MS = 300_000;
const MAX_NAMES = 4_096;

interface Known<T> {
  readonly answer: Promise<T>;
  /** Time at which the answer expires; infinite during the read. */
  until: number;
}

/**
 * Caches reads whose cost strangers determine, such as a sum over all trades of a coin. Each read runs once at a time, and
 * the longer it took, the longer its answer is cached. So no read, however often it is requested, keeps the database busy.
 */
export class CostlyReads<T> {
  private readonly known = new Map<string, Known<T>>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws the error of the read, to all its waiters; the next request starts a new read. */
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
