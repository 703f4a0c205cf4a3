/** A location in a packaged file; lines count from 1. */
export interface SourceLine {
  readonly path: string;
  readonly line: number;
}

const NEWLINE = 0x0a;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/**
 * The tokens at which a search for declarations stops, in order: the end of a statement, `public`, a function with its
 * name, and a name before `;` or `=`. Each alternative consumes its match, so the expression reads a text once.
 */
const TOKENS =
  /[;{]|(?<![A-Za-z0-9_$])(?:public(?![A-Za-z0-9_$])|function\s+(?<function>[A-Za-z_$][A-Za-z0-9_$]*)(?=\s*\()|(?<name>[A-Za-z_$][A-Za-z0-9_$]*)(?=\s*[;=]))/g;

/** Finds lines in the sources of a build. Reads each source at most twice for any number of locations. */
export class SourceLines {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #paths: readonly string[];
  readonly #starts = new Map<string, Uint32Array>();
  readonly #declarations = new Map<string, ReadonlyMap<string, number>>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
    this.#paths = [...texts.keys()].sort();
  }

  /** Returns the line of a byte offset in a source, or null for a file or offset that solc did not name. */
  lineAt(path: string, byteOffset: number): SourceLine | null {
    const text = this.#texts.get(path);
    if (text === undefined || byteOffset < 0) return null;
    let starts = this.#starts.get(path);
    if (starts === undefined) this.#starts.set(path, (starts = lineStarts(text)));
    // Find the last line that begins at or before the offset.
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= byteOffset) low = middle;
      else high = middle - 1;
    }
    return { path, line: low + 1 };
  }

  /**
   * Returns the line that declares a function or a public variable of a name: first in that file, then in the others,
   * by path.
   */
  lineOfFunction(path: string, name: string): SourceLine | null {
    if (!IDENTIFIER.test(name)) return null;
    const others = this.#paths.filter((other) => other !== path);
    for (const file of [path, ...others]) {
      const line = this.#declarationsOf(file).get(name);
      if (line !== undefined) return { path: file, line };
    }
    return null;
  }

  #declarationsOf(path: string): ReadonlyMap<string, number> {
    let known = this.#declarations.get(path);
    if (known === undefined) this.#declarations.set(path, (known = declarations(this.#texts.get(path) ?? '')));
    return known;
  }
}

/** Returns the byte offset at which each line begins. */
function lineStarts(text: string): Uint32Array {
  const bytes = new TextEncoder().encode(text);
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}

/** Returns the line of the first declaration of each function and public variable, by name. */
function declarations(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let line = 1;
  /** The end of the current line. Offsets are ascending, so each end is searched for once. */
  let end = text.indexOf('\n');
  const lineOf = (index: number): number => {
    for (; end >= 0 && end < index; end = text.indexOf('\n', end + 1)) line += 1;
    return line;
  };
  /** The line of the first `public` in the statement. */
  let publicLine: number | null = null;
  for (const { 0: token, index, groups } of text.matchAll(TOKENS)) {
    const name = groups?.['function'] ?? groups?.['name'];
    if (name === undefined) publicLine = token === 'public' ? (publicLine ?? lineOf(index)) : null;
    else if (groups?.['function'] !== undefined) lines.set(name, lines.get(name) ?? lineOf(index));
    else if (publicLine !== null) lines.set(name, lines.get(name) ?? publicLine);
  }
  return lines;
}
