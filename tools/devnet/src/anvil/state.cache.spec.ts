import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateCache } from './state.cache.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'launch-states-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const hash = (number: number): `0x${string}` => `0x${String(number).padStart(64, '0')}`;

it('The state cache keeps the states of blocks that are not final, and the newest ones with transactions up to its budget.', async () => {
  const folder = join(dir, 'anvil-state-1');
  await mkdir(folder);
  for (let number = 1; number <= 8; number++) await writeFile(join(folder, `${hash(number)}.json`), 'x'.repeat(10));
  await writeFile(join(folder, 'another'), '');
  await new StateCache(dir, 25).sweep({ filled: [hash(2), hash(3), hash(5)], open: [hash(7), hash(8)] });
  expect((await readdir(folder)).sort()).toEqual([
    `${hash(3)}.json`,
    `${hash(5)}.json`,
    `${hash(7)}.json`,
    `${hash(8)}.json`,
    'another',
  ]);
});

it('The state cache begins with an empty folder.', async () => {
  await writeFile(join(dir, 'old'), '');
  await new StateCache(dir).renew();
  expect(await readdir(dir)).toEqual([]);
});
