/** Undoes faults after a time. A later change of the same subject replaces its expiry. */
export class Expiries {
  readonly #pending = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: string }>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Replaces the expiry of a subject. @param seconds null cancels it. */
  set(subject: string, seconds: number | null, undo: () => Promise<unknown>): void {
    clearTimeout(this.#pending.get(subject)?.timer);
    this.#pending.delete(subject);
    if (seconds === null) return;
    const timer = setTimeout(() => {
      this.#pending.delete(subject);
      undo().catch(this.#onFailure);
    }, seconds * 1000);
    // A process that ends takes its faults with it.
    timer.unref();
    this.#pending.set(subject, { timer, at: new Date(Date.now() + seconds * 1000).toISOString() });
  }

  /** Returns the time at which a subject is undone, or null. */
  at(subject: string): string | null {
    return this.#pending.get(subject)?.at ?? null;
  }

  /** Cancels all expiries. */
  stop(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
  }
}
