interface ShortMemoryOptions<T> {
  readonly keptMs: number;
  /** Entries at once, at most; one more empties the cache. */
  readonly size: number;
  readonly now: () => number;
  /** Returns whether to cache an answer; by default every answer is cached. */
  readonly keeps?: (answer: T) => boolean;
}

/** Caches answers by name for a short time, so that many equal requests cost one read. */
export class ShortMemory<T> {
  readonly #known = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();

  constructor(private readonly options: ShortMemoryOptions<T>) {}

  async recall(name: string, read: () => Promise<T>): Promise<T> {
    const { keptMs, size, now, keeps = () => true } = this.options;
    const known = this.#known.get(name);
    if (known !== undefined && now() - known.at <= keptMs) return known.answer;
    const asking = { at: now(), answer: read() };
    if (this.#known.size >= size) this.#known.clear();
    this.#known.set(name, asking);
    const forget = (): void => {
      if (this.#known.get(name) === asking) this.#known.delete(name);
    };
    try {
      const answer = await asking.answer;
      if (!keeps(answer)) forget();
      return answer;
    } catch (error) {
      forget();
      throw error;
    }
  }
}
