/** How often and how long a place is asked that gives no answer, before the index goes past it. */
export interface Patience {
  readonly attempts: number;
  readonly forMs: number;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;
/** Places that are counted at a time; with one more the count begins anew. */
const MAX_PLACES = 1_024;

export interface Trouble {
  /** Attempts so far. */
  readonly attempts: number;
  /** Whether the place was asked often and long enough. */
  readonly isOver: boolean;
  /** Milliseconds before the next attempt. */
  readonly retryMs: number;
}

/**
 * Counts the refusals of places: blocks, transactions, launches. The time counts from the first refusal since the source was
 * last without any: many bad places in a row together cost one patience, not one each.
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

  /** A range was read: what stood in its way does no longer. */
  answered(): void {
    this.#attempts.clear();
  }

  /** Nothing is left to read, so nothing is in the way. */
  atHead(): void {
    this.#attempts.clear();
    this.#since = null;
  }

  /** Refusals of the place that was refused most. */
  get mostRefused(): number {
    return Math.max(0, ...this.#attempts.values());
  }
}
