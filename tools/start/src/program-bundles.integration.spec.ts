import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { programBundles, PROGRAMS } from './program-bundles.js';

const run = promisify(execFile);

/** Prints its own place, the file beside it, and the names of an error and a closure. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { word, Known as Other } from '@launch/words';
class Known extends Error {}
const closures = ['one', 'another'].map(() => {
  const closure = () => undefined;
  return closure;
});
const beside = readFileSync(new URL('./beside.txt', import.meta.url), 'utf8');
console.log(JSON.stringify([import.meta.dirname, path.basename(import.meta.filename), beside, word, Known.name, Other.name, closures[0].name]));
`;

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'launch-programs-')));
  await write('package.json', '{"type":"module"}');
  await write('package-lock.json', '{}');
  await write('node_modules/@launch/words/package.json', '{"type":"module","exports":"./index.js"}');
  await write('node_modules/@launch/words/index.js', "export const word = 'word';\nexport class Known {}");
  for (const program of PROGRAMS) {
    await write(program, PROGRAM);
    await write(path.join(path.dirname(program), 'beside.txt'), program);
  }
});
afterEach(() => rm(root, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

describe('The bundles of the programs', () => {
  it('find the files beside their modules, and keep the names of classes, while closures get none', async () => {
    const folder = await programBundles(root);
    for (const program of PROGRAMS) {
      const { stdout } = await run(process.execPath, [path.join(folder, program)]);
      const place = path.join(root, path.dirname(program));
      expect(JSON.parse(stdout)).toEqual([place, path.basename(program), program, 'word', 'Known', 'Known', '']);
      // The dependency is part of the bundle.
      expect(await readFile(path.join(folder, program), 'utf8')).not.toContain('@launch/words"');
    }
  });

  it('are created once for a build, and again for a changed one or another lockfile', async () => {
    const [first, beside] = await Promise.all([programBundles(root), programBundles(root)]);
    expect(beside).toBe(first);
    expect(await programBundles(root)).toBe(first);
    await write('libs/words/dist/index.js', 'export const word = 1;');
    const changed = await programBundles(root);
    await write('package-lock.json', '{"lockfileVersion":3}');
    const relocked = await programBundles(root);
    expect(new Set([first, changed, relocked]).size).toBe(3);
    expect((await readdir(path.dirname(first))).sort()).toEqual(
      [first, changed, relocked].map((one) => path.basename(one)).sort(),
    );
  });

  it('are absent when a program cannot be bundled', async () => {
    await write(PROGRAMS[0], "import { absent } from './absent.js';\nconsole.log(absent);");
    await expect(programBundles(root)).rejects.toThrow('./absent.js');
    expect(await readdir(path.join(root, 'node_modules/.cache/launch-programs'))).toEqual([]);
  });
});
