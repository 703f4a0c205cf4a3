import type { Word } from './abstract-word.js';

const WORD = 32n;
/** Words at places beyond this are not remembered. */
const MAX_OFFSET = 1n << 16n;

/** Memory as far as it is known: words at known places. Never changed, always made anew. */
export class AbstractMemory {
  readonly #words: ReadonlyMap<bigint, Word>;
  /** The caller, or what another contract said of it, was written to a place that nobody knows. */
  readonly #stray: boolean;
  #key: string | undefined;

  private constructor(words: ReadonlyMap<bigint, Word>, stray: boolean) {
    this.#words = words;
    this.#stray = stray;
  }

  /** Words that are known: each change copies them. */
  get size(): number {
    return this.#words.size;
  }

  /** Equal for equal memory; made when it is first asked for. */
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

  /** Something was copied there. */
  overwrite(at: Word, length: Word, byCaller: boolean): AbstractMemory {
    if (length === 0n) return this;
    const words =
      typeof at === 'bigint' && typeof length === 'bigint' ? this.#without(at, length) : new Map(this.#words);
    return new AbstractMemory(words, this.#stray || byCaller);
  }

  /** What a hash of that range, or a call with it, has of the caller. */
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
