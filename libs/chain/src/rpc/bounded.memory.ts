interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
}

/** The size of an entry besides its value, so that empty values are bounded too. */
const ENTRY_BYTES = 256;

/** A cache bounded by a sum of bytes. Evicts the least recently used entry first. */
export class BoundedMemory<T> {
  readonly #kept = new Map<string, Kept<T>>();
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): T | undefined {
    const known = this.#kept.get(key);
    if (known === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.value;
  }

  /** Keeps a value unless it exceeds the bound. @param bytes an estimate of the value's size. */
  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    const size = bytes + ENTRY_BYTES;
    if (size > this.maxBytes) return;
    this.#kept.set(key, { value, bytes: size });
    this.#bytes += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const known = this.#kept.get(key);
    if (known === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= known.bytes;
  }
}

/** Shares the answer to a request among callers. A later caller receives the first answer, or waits for it. */
export class SharedAnswers {
  readonly #asked: BoundedMemory<Promise<unknown>>;

  constructor(maxBytes: number) {
    this.#asked = new BoundedMemory(maxBytes);
  }

  /** @param bytesOf estimates an answer's size; returns null for an answer that must not be kept. */
  once<T>(key: string, ask: () => Promise<T>, bytesOf: (answer: T) => number | null): Promise<T> {
    const known = this.#asked.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = ask();
    this.#asked.set(key, asked, 0);
    const settle = (bytes: number | null): void => {
      if (this.#asked.get(key) !== asked) return;
      if (bytes === null) this.#asked.delete(key);
      else this.#asked.set(key, asked, bytes);
    };
    asked.then(
      (answer) => settle(bytesOf(answer)),
      () => settle(null),
    );
    return asked;
  }
}
