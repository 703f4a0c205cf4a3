import { execFile } from 'node:child_process';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createFileBlobCollection, createFileBlobStore, type BlobStore } from '@launch/blob-store';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { Secret } from '@launch/platform';
import { armFailpoint, killedAt } from '@launch/testing';
import { sourceProgram } from '../../../tools/start/src/fixtures/source-program.fixture.js';
import { createDeployedDatabases, type DeployedDatabases } from './fixtures/deployed-databases.fixture.js';
import { lockCollections } from './references/read-references.js';

const DAY_MS = 86_400_000;
const bytesOf = (name: string): Uint8Array => new TextEncoder().encode(name);

let databases: DeployedDatabases;
let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blob-collector-'));
  program = await sourceProgram(path.join(import.meta.dirname, 'main.ts'), path.join(folder, 'program'));
  databases = await createDeployedDatabases();
}, 300_000);
afterAll(async () => {
  await databases?.drop();
  await rm(folder, { recursive: true, force: true });
});

let dir: string;
let store: BlobStore;
beforeEach(async () => {
  dir = await mkdtemp(path.join(folder, 'blobs-'));
  store = createFileBlobStore({ dir });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      {
        env: {
          PATH: process.env['PATH'],
          BLOB_STORE: dir,
          BUILD_RESULTS_STORE: `${dir}/results`,
          COLLECTION_GRACE_DAYS: '7',
          ...databases.env,
          ...env,
        },
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
  });
}

async function summary(args: readonly string[], env: Record<string, string> = {}) {
  const ended = await run(args, env);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout) as {
    counts: Record<string, number>;
    done: { setAside: number; removed: number; restored: number } | null;
  };
}

/** Gives every file of a digest an age. */
async function age(digest: Sha256Digest, days: number): Promise<void> {
  const hex = digest.slice(7);
  const at = new Date(Date.now() - days * DAY_MS);
  for (const file of [path.join('kept', hex.slice(0, 2), hex.slice(2, 4), hex), path.join('unreferenced', hex)])
    await utimes(path.join(dir, file), at, at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
}

async function stored(name: string, days: number): Promise<Sha256Digest> {
  const digest = await store.put(bytesOf(name));
  await age(digest, days);
  return digest;
}

const places = async (): Promise<{ kept: Sha256Digest[]; aside: Sha256Digest[] }> => {
  const collection = createFileBlobCollection({ dir });
  const all = { kept: [] as Sha256Digest[], aside: [] as Sha256Digest[] };
  for await (const { digest } of collection.kept()) all.kept.push(digest);
  for await (const { digest } of collection.aside()) all.aside.push(digest);
  return all;
};

it('A run without --remove counts and changes nothing.', async () => {
  const [old, young, named] = [await stored('old', 8), await stored('young', 6), await stored('named', 800)];
  await databases.insertReceipt(named);
  expect(await summary([])).toEqual({
    msg: 'nothing changed: a dry run',
    counts: {
      kept: 3,
      referenced: 1,
      young: 1,
      unreferenced: 1,
      unreferencedBytes: 3,
      aside: 0,
      waiting: 0,
      due: 0,
      dueBytes: 0,
      needed: 0,
    },
    done: null,
  });
  expect(await places()).toEqual({ kept: [old, young, named].sort(), aside: [] });
});

it('Unreferenced content is set aside after the grace period, removed after another, and can be read until then.', async () => {
  const [old, young, named] = [await stored('old', 8), await stored('young', 6), await stored('named', 800)];
  await databases.insertReceipt(named);
  expect((await summary(['--remove'])).done).toMatchObject({ setAside: 1, removed: 0, restored: 0 });
  expect(await places()).toEqual({ kept: [young, named].sort(), aside: [old] });
  expect((await summary(['--remove'])).done).toMatchObject({ setAside: 0, removed: 0, restored: 0 });
  expect(Buffer.from(await store.get(old)).toString()).toBe('old');
  await age(old, 8);
  expect((await summary(['--remove'])).done).toMatchObject({ setAside: 0, removed: 1, restored: 0 });
  expect(await places()).toEqual({ kept: [young, named].sort(), aside: [] });
});

it('The results of builds are collected by the same references.', async () => {
  const results = createFileBlobStore({ dir: path.join(dir, 'results') });
  const both = await stored('in both', 8);
  expect(await results.put(bytesOf('in both'))).toBe(both);
  const named = await results.put(bytesOf('named result'));
  const hex = both.slice(7);
  const at = new Date(Date.now() - 8 * DAY_MS);
  await utimes(path.join(dir, 'results/kept', hex.slice(0, 2), hex.slice(2, 4), hex), at, at);
  await databases.insertReceipt(named);
  expect((await summary(['--remove'])).counts).toMatchObject({ kept: 3, referenced: 1, unreferenced: 2 });
  expect(await places()).toEqual({ kept: [], aside: [both] });
  expect([await results.has(both), await results.has(named)]).toEqual([true, true]);
});

it('Content that a request found stored just before it was set aside is kept again once its row names it.', async () => {
  const digest = await stored('found stored', 8);
  // The request stores bytes that are there; the collection sets them aside before the row is committed.
  expect(await store.put(bytesOf('found stored'))).toBe(digest);
  expect((await summary(['--remove'])).done).toMatchObject({ setAside: 1 });
  await databases.insertReceipt(digest);
  // Long after, and in the same run that would remove it.
  await age(digest, 400);
  expect(Buffer.from(await store.get(digest)).toString()).toBe('found stored');
  expect((await summary(['--remove'])).done).toMatchObject({ setAside: 0, removed: 0, restored: 1 });
  expect(await places()).toEqual({ kept: [digest], aside: [] });
});

it('A row that is committed while a collection runs keeps its content.', async () => {
  const digests: Sha256Digest[] = [];
  for (let index = 0; index < 40; index += 1) digests.push(await stored(`in flight ${index}`, 8));
  const requests = digests.map(async (digest, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 25));
    await store.put(bytesOf(`in flight ${index}`));
    await databases.insertReceipt(digest);
    expect(Buffer.from(await store.get(digest)).toString()).toBe(`in flight ${index}`);
  });
  const runs = (async () => {
    for (let round = 0; round < 3; round += 1) await summary(['--remove']);
  })();
  await Promise.all([...requests, runs]);
  for (const digest of digests) await age(digest, 8);
  await summary(['--remove']);
  expect(await places()).toEqual({ kept: digests.sort(), aside: [] });
});

it.each(['blobs.set-aside-one', 'blobs.removed-one', 'blobs.restored'])(
  'A run that is killed at %s loses nothing, and the next one finishes its work.',
  async (point) => {
    const failpoints = path.join(dir, 'failpoints');
    const named = await stored(`named ${point}`, 8);
    const due = [await stored('due 1', 8), await stored('due 2', 8), named];
    await summary(['--remove']);
    for (const digest of due) await age(digest, 8);
    await databases.insertReceipt(named);
    const fresh = [await stored('fresh 1', 8), await stored('fresh 2', 8)];

    await armFailpoint(failpoints, point);
    expect(await run(['--remove'], { LAUNCH_FAILPOINTS: failpoints })).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    expect(await killedAt(failpoints, point)).toBeDefined();
    expect(Buffer.from(await store.get(named)).toString()).toBe(`named ${point}`);
    for (const digest of fresh) expect(await store.has(digest)).toBe(true);

    await summary(['--remove']);
    expect(await places()).toEqual({ kept: [named], aside: fresh.sort() });
  },
);

it.each([
  ['is unreachable', 'CUSTODY_DATABASE_URL', () => 'postgresql://role@127.0.0.1:1/none', 'DATABASE_UNREADABLE'],
  ['is the one of another service', 'INDEXER_DATABASE_URL', () => databases.of.finality.url, 'DATABASE_UNEXPECTED'],
  ['is not configured', 'MODULE_REVIEW_DATABASE_URL', () => '', 'CONFIG_INVALID'],
])('Nothing changes if a database %s.', async (_, variable, url, code) => {
  const [aside, old] = [await stored('aside', 8), await stored('old', 6)];
  await summary(['--remove']);
  await age(aside, 8);
  await age(old, 8);
  const ended = await run(['--remove'], { [variable]: url() });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(ended.stderr)).toMatchObject({ code });
  expect(ended.stderr).not.toContain('127.0.0.1');
  expect(await places()).toEqual({ kept: [old], aside: [aside] });
});

it('A store of which too much is unreferenced is left alone, since a database may have lost its rows.', async () => {
  for (let index = 0; index < 120; index += 1) await stored(`many ${index}`, 8);
  const ended = await run(['--remove']);
  expect(JSON.parse(ended.stderr)).toMatchObject({ code: 'SHARE_TOO_LARGE' });
  expect((await places()).aside).toEqual([]);
  expect((await summary(['--remove'], { COLLECTION_MAX_PERCENT: '100', COLLECTION_LIMIT: '50' })).done).toMatchObject({
    setAside: 50,
  });
  expect((await places()).aside).toHaveLength(50);
});

it('Two collections do not run at once.', async () => {
  const unlock = await lockCollections(new Secret(databases.of['api-gateway'].url));
  const ended = await run(['--remove']);
  expect(JSON.parse(ended.stderr)).toMatchObject({ code: 'COLLECTION_RUNNING' });
  await unlock();
  await summary(['--remove']);
});

it('An unknown argument ends the program before it reads anything.', async () => {
  expect(await run(['--delete'])).toMatchObject({ code: 2, stderr: expect.stringContaining('usage') });
});
