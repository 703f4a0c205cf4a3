import { joined, type Html } from './html-template.js';

/** The characters that a list of an author's entries may take on a page. */
export const LIST_CHARACTERS = 2 * 1024 * 1024;

/**
 * Collects the parts of a page up to a number of characters, so that no input makes a page larger than a browser can
 * render.
 */
export class BoundedHtml {
  readonly #parts: Html[] = [];
  #left: number;

  constructor(characters = LIST_CHARACTERS) {
    this.#left = characters;
  }

  /** Adds a part if there is room for it, and returns whether there was. */
  add(part: Html): boolean {
    const { length } = part.toString();
    if (length > this.#left) return false;
    this.#left -= length;
    this.#parts.push(part);
    return true;
  }

  html(): Html {
    return joined(this.#parts, '\n');
  }
}
