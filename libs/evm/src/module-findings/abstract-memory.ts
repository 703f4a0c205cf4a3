import type { Word } from './abstract-word.js';

const WORD = 32n;
/** Words at higher offsets are not tracked. */
const MAX_OFFSET = 1n << 16n;

/** Memory as far as it is known: words at known offsets. Immutable: each change returns a new object. */
export class AbstractMemory {
  readonly #words: ReadonlyMap<bigint, Word>;
  /**
   * True if a value derived from the caller, or from another contract's answer about it, was written to an unknown
   * offset.
   */
  readonly #stray: boolean;
  #key: string | undefined;

  private constructor(words: ReadonlyMap<bigint, Word>, stray: boolean) {
    this.#words = words;
    this.#stray = stray;
  }

  /** The number of known words, all of which each change copies. */
  get size(): number {
    return this.#words.size;
  }

  /** A key that is equal for equal memory; computed on first use. */
  get key(): string {
    this.#key ??= `${this.#stray}${[...this.#words]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([at, word]) => `${at}=${String(word)}`)
      .join()}`;
    return this.#key;
  }

  static readonly EMPTY = new AbstractMemory(new Map(), false);

  load(at: Word): Word {
    const known = typeof at === 'bigint' ? this.#words.get(at) : undefined;
    return known ?? (this.#stray ? 'perhaps' : 'unknown');
  }

  store(at: Word, word: Word): AbstractMemory {
    if (typeof at !== 'bigint' || at > MAX_OFFSET) {
      return new AbstractMemory(this.#words, this.#stray || word === 'derived' || word === 'perhaps');
    }
    const words = this.#without(at, WORD);
    words.set(at, word);
    return new AbstractMemory(words, this.#stray);
  }

  /** Records a copy of unknown data to a range. */
  overwrite(at: Word, length: Word, byCaller: boolean): AbstractMemory {
    if (length === 0n) return this;
    const words =
      typeof at === 'bigint' && typeof length === 'bigint' ? this.#without(at, length) : new Map(this.#words);
    return new AbstractMemory(words, this.#stray || byCaller);
  }

  /** Returns the caller's share in a hash of that range, or in a call with it. */
  range(at: Word, length: Word): Word {
    if (typeof at !== 'bigint' || typeof length !== 'bigint') return this.#stray ? 'perhaps' : 'unknown';
    let found: Word = this.#stray ? 'perhaps' : 'unknown';
    for (const [place, word] of this.#words) {
      if (place + WORD <= at || place >= at + length) continue;
      if (word === 'derived') return word;
      if (word === 'perhaps') found = word;
    }
    return found;
  }

  #without(at: bigint, length: bigint): Map<bigint, Word> {
    return new Map([...this.#words].filter(([place]) => place + WORD <= at || place >= at + length));
  }
}
