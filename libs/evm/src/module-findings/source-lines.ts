/** A place in a packaged file; lines count from 1. */
export interface SourceLine {
  readonly path: string;
  readonly line: number;
}

/** The line of a byte offset in a source, null where solc names no such file or place. */
export function lineAt(texts: ReadonlyMap<string, string>, path: string, byteOffset: number): SourceLine | null {
  const text = texts.get(path);
  if (text === undefined || byteOffset < 0) return null;
  const before = new TextEncoder().encode(text).subarray(0, byteOffset);
  return { path, line: before.reduce((lines, byte) => (byte === 0x0a ? lines + 1 : lines), 1) };
}

/** The line that declares a function or a public variable of that name: in that file first, then in the others, by path. */
export function lineOfFunction(texts: ReadonlyMap<string, string>, path: string, name: string): SourceLine | null {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) return null;
  const declaration = new RegExp(
    `\\bfunction\\s+${name.replaceAll('$', '\\$')}\\s*\\(|\\bpublic\\b[^;{]*\\b${name.replaceAll('$', '\\$')}\\s*[;=]`,
  );
  const others = [...texts.keys()].filter((other) => other !== path).sort();
  for (const file of [path, ...others]) {
    const at = texts.get(file)?.search(declaration) ?? -1;
    if (at >= 0) return { path: file, line: texts.get(file)!.slice(0, at).split('\n').length };
  }
  return null;
}
