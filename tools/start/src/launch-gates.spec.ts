import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openGatesOnce } from './launch-gates.js';

/** An operator's command that records each change as a line, and shows as many changes. */
const COMMAND = `
import { appendFileSync, readFileSync } from 'node:fs';
const [file, group, verb, ...rest] = process.argv.slice(2);
if (verb === 'set') appendFileSync(file, [group, ...rest].join(' ') + '\\n');
const changes = readFileSync(file, 'utf8').split('\\n').filter((line) => line !== '');
process.stdout.write(JSON.stringify(verb === 'show' ? { gates: {}, changes } : { changed: true }));
`;

let folder: string;
let changes: string;
let admin: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gates-'));
  changes = path.join(folder, 'changes');
  await writeFile(path.join(folder, 'admin.mjs'), COMMAND);
  admin = [process.execPath, path.join(folder, 'admin.mjs'), changes];
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const set = async (): Promise<readonly string[]> =>
  (await readFile(changes, 'utf8')).split('\n').filter((line) => line !== '');
beforeEach(() => writeFile(changes, ''));

it('A first start opens all gates when none was ever set.', async () => {
  await openGatesOnce(admin);
  expect(await set()).toEqual(['gates publicAuthorization publicWrites releaseReady open --by npm start --json']);
});

it('A start leaves the gates unchanged when one was set.', async () => {
  const closed = 'gates publicWrites closed --by operator --json';
  await writeFile(changes, `${closed}\n`);
  await openGatesOnce(admin);
  expect(await set()).toEqual([closed]);
});
