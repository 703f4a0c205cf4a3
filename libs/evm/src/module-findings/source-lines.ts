/** A place in a packaged file; lines count from 1. */
export interface SourceLine {
  readonly path: string;
  readonly line: number;
}

const NEWLINE = 0x0a;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/**
 * What a search for declarations stops at, in order: the end of a statement, `public`, a function with its name, and a name
 * before `;` or `=`. Each alternative moves on behind what it read, so that a text is read once.
 */
const TOKENS =
  /[;{]|(?<![A-Za-z0-9_$])(?:public(?![A-Za-z0-9_$])|function\s+(?<function>[A-Za-z_$][A-Za-z0-9_$]*)(?=\s*\()|(?<name>[A-Za-z_$][A-Za-z0-9_$]*)(?=\s*[;=]))/g;

/** Finds lines in the sources of a build. Reads each source at most twice, however many places are asked for. */
export class SourceLines {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #paths: readonly string[];
  readonly #starts = new Map<string, Uint32Array>();
  readonly #declarations = new Map<string, ReadonlyMap<string, number>>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
    this.#paths = [...texts.keys()].sort();
  }

  /** Returns the line of a byte offset in a source, null where solc names no such file or place. */
  lineAt(path: string, byteOffset: number): SourceLine | null {
    const text = this.#texts.get(path);
    if (text === undefined || byteOffset < 0) return null;
    let starts = this.#starts.get(path);
    if (starts === undefined) this.#starts.set(path, (starts = lineStarts(text)));
    // The last line that begins at or before the offset.
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= byteOffset) low = middle;
      else high = middle - 1;
    }
    return { path, line: low + 1 };
  }

  /** Returns the line that declares a function or a public variable of a name: in that file first, then in the others, by path. */
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

/** The byte offset at which each line begins. */
function lineStarts(text: string): Uint32Array {
  const bytes = new TextEncoder().encode(text);
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}

/** The line of the first declaration of each function and public variable, by name. */
function declarations(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let line = 1;
  /** Where the current line ends. Places are asked for in ascending order, so that each end is searched for once. */
  let end = text.indexOf('\n');
  const lineOf = (index: number): number => {
    for (; end >= 0 && end < index; end = text.indexOf('\n', end + 1)) line += 1;
    return line;
  };
  /** The line of the first `public` of the statement. */
  let publicLine: number | null = null;
  for (const { 0: token, index, groups } of text.matchAll(TOKENS)) {
    const name = groups?.['function'] ?? groups?.['name'];
    if (name === undefined) publicLine = token === 'public' ? (publicLine ?? lineOf(index)) : null;
    else if (groups?.['function'] !== undefined) lines.set(name, lines.get(name) ?? lineOf(index));
    else if (publicLine !== null) lines.set(name, lines.get(name) ?? publicLine);
  }
  return lines;
}
