/** Characters of a list of foreign entries on a page. */
export const LIST_CHARACTERS = 2 * 1024 * 1024;

/** Collects parts of a page up to a number of characters, so that no input makes a page larger than a browser renders. */
export class BoundedHtml {
  readonly #parts: string[] = [];
  #left: number;

  constructor(characters = LIST_CHARACTERS) {
    this.#left = characters;
  }

  /** Adds a part and returns whether there was room for it. */
  add(html: string): boolean {
    if (html.length > this.#left) return false;
    this.#left -= html.length;
    this.#parts.push(html);
    return true;
  }

  toString(): string {
    return this.#parts.join('\n');
  }
}
