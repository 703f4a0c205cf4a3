/** The number of attempts and the time for a place without an answer, before the index skips it. */
export interface Patience {
  readonly attempts: number;
  readonly forMs: number;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;
/** Maximum places counted at a time; one more clears the count. */
const MAX_PLACES = 1_024;

export interface Trouble {
  /** Attempts so far. */
  readonly attempts: number;
  /** Whether the attempts and the time are used up. */
  readonly isOver: boolean;
  /** Milliseconds before the next attempt. */
  readonly retryMs: number;
}

/**
 * Counts the refusals of places: blocks, transactions, launches. The time starts with the first refusal after the
 * source was last free of them, so that many bad places in a row cost one patience in total.
 */
export class Troubles {
  readonly #attempts = new Map<string, number>();
  #since: number | null = null;

  constructor(
    private readonly patience: Patience,
    private readonly now: () => number,
  ) {}

  /** Counts a refusal of a place. @param forMs a patience of its own. */
  failed(place: string, forMs: number = this.patience.forMs): Trouble {
    const now = this.now();
    this.#since ??= now;
    if (this.#attempts.size >= MAX_PLACES) this.#attempts.clear();
    const attempts = (this.#attempts.get(place) ?? 0) + 1;
    this.#attempts.set(place, attempts);
    const isOver = attempts >= this.patience.attempts && now - this.#since >= forMs;
    return { attempts, isOver, retryMs: Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS) };
  }

  /** Clears the counts after a range was read. */
  answered(): void {
    this.#attempts.clear();
  }

  /** Clears the counts at the head, where nothing is left to read. */
  atHead(): void {
    this.#attempts.clear();
    this.#since = null;
  }

  /** Returns the highest number of refusals of one place. */
  get mostRefused(): number {
    return Math.max(0, ...this.#attempts.values());
  }
}
