/** A refusal that the service calls retryable. */
export interface Retryable {
  readonly code: string;
  /** The seconds that the service asks to wait; null without a number of them. */
  readonly retryAfterSeconds: number | null;
}

/** The reader of `--retry`. */
export interface Patience {
  /** Returns the refusal if it may be repeated, else null. */
  readonly retryableOf: (error: unknown) => Retryable | null;
  /** Called before each wait. */
  readonly tell: (refusal: Retryable, seconds: number) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** Most repetitions of a call, with the same bytes and the same key. */
const MAX_RETRIES = 5;
const MAX_WAIT_SECONDS = 60;

/**
 * Repeats a call after each retryable refusal, at most five times, after the time that the service asks for. Without patience
 * the call is sent once.
 */
export async function withRetries<T>(call: () => Promise<T>, patience: Patience | null): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const refusal = patience?.retryableOf(error) ?? null;
      if (patience === null || refusal === null || attempt === MAX_RETRIES) throw error;
      const seconds = Math.min(refusal.retryAfterSeconds ?? 2 ** attempt, MAX_WAIT_SECONDS);
      patience.tell(refusal, seconds);
      await patience.sleep(seconds * 1_000);
    }
  }
}
