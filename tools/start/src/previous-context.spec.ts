import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canonicalJsonText } from '@launch/contracts/json';
import { contextSchema, type LaunchContext } from '@launch/contracts/multi-role';
import { canonicalKeccak, LIMITS } from '@launch/contracts/primitives';
import { fixtureContext } from '../../../clients/multi-role/src/fixtures/launch-context.fixture.js';
import { filePreviousContext } from './previous-context.js';

let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'previous-')), 'contexts');
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

const release = (profileId: string, change: (context: LaunchContext) => void = () => undefined): LaunchContext => {
  const context = structuredClone(fixtureContext());
  context.profile.profileId = profileId;
  change(context);
  return context;
};
const [first, second] = [release('first'), release('second')];
const file = (before: LaunchContext | string | undefined, current: LaunchContext) =>
  filePreviousContext(folder, typeof before === 'object' ? canonicalJsonText(before) : before, current, contextSchema);
const filed = (): Promise<string[]> => readdir(folder);

it('The previous context is filed under its hash, and stays while the context is the same.', async () => {
  await file(first, second);
  await file(second, second);
  expect(await filed()).toEqual([`${canonicalKeccak(first)}.json`]);
  expect(await readFile(path.join(folder, `${canonicalKeccak(first)}.json`), 'utf8')).toBe(canonicalJsonText(first));
});

it('The previous context stays for as long as a permit window of its requests may last.', async () => {
  const [third, fourth] = [release('third'), release('fourth')];
  const nameOf = (context: LaunchContext): string => `${canonicalKeccak(context)}.json`;
  await file(first, second);
  await file(second, third);
  expect((await filed()).sort()).toEqual([first, second].map(nameOf).sort());
  const beforeAWindow = Date.now() / 1_000 - LIMITS.permitWindowSeconds - 1;
  await utimes(path.join(folder, nameOf(first)), beforeAWindow, beforeAWindow);
  await file(third, fourth);
  expect((await filed()).sort()).toEqual([second, third].map(nameOf).sort());
});

it('The previous context is removed when it is published again.', async () => {
  await file(first, second);
  await file(second, first);
  expect(await filed()).toEqual([`${canonicalKeccak(second)}.json`]);
});

it('The previous contexts are the newest 16, which services read.', async () => {
  const releases = Array.from({ length: 19 }, (_, index) => release(`release-${index}`));
  for (const [index, context] of releases.slice(1).entries()) {
    await file(releases[index], context);
    // Files of one moment have an order, too.
    const filedAt = Date.now() / 1_000 - 60 + index;
    await utimes(path.join(folder, `${canonicalKeccak(releases[index]!)}.json`), filedAt, filedAt);
  }
  const newest = releases.slice(2, 18).map((context) => `${canonicalKeccak(context)}.json`);
  expect((await filed()).sort()).toEqual(newest.sort());
});

it.each([
  ['of chains that are gone', undefined],
  [
    'of another policy',
    release('first', ({ profile }) => {
      profile.instructionPolicy.policyHash = `0x${'9'.repeat(64)}`;
    }),
  ],
  [
    'of another router',
    release('first', ({ chainDeployment }) => {
      chainDeployment.router.runtimeCodeHash = `0x${'9'.repeat(64)}`;
    }),
  ],
  [
    'of another permit authority',
    release('first', ({ chainBindings }) => {
      chainBindings.permitAuthorities = [`0x${'9'.repeat(40)}`];
    }),
  ],
  ['that is none', '{"chainId":'],
])('The previous context is not filed when it is %s, and the filed one is gone.', async (_name, before) => {
  await file(first, second);
  await file(before, release('third'));
  expect(await filed()).toEqual([]);
});
