import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import fs, { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What is done to the disk, in its order: `sync` of a file or folder, and `rename` to a name. */
let done: string[] = [];
let dir: string;
const placeOf = (file: unknown): string => path.relative(dir, String(file));

const open = (async (file, ...rest) => {
  const handle = await fs.open(file, ...rest);
  const sync = handle.sync.bind(handle);
  handle.sync = async () => {
    await sync();
    done.push(`sync ${placeOf(file).replace(/^(incoming)\/.*$/, '$1/draft')}`);
  };
  return handle;
}) as typeof fs.open;
const rename = (async (from, to) => {
  done.push(`rename to ${placeOf(to)}`);
  await fs.rename(from, to);
}) as typeof fs.rename;
jest.unstable_mockModule('node:fs/promises', () => ({ ...fs, open, rename }));
const { createFileBlobStore } = await import('./index.js');

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const bytes = new TextEncoder().encode('abc');

beforeEach(async () => {
  dir = path.join(await mkdtemp(path.join(tmpdir(), 'durable-put-')), 'root');
  done = [];
});
afterEach(() => rm(path.dirname(dir), { recursive: true, force: true }));

it('bytes are flushed before they have a name, and each folder that names them before put answers', async () => {
  await createFileBlobStore({ dir }).put(bytes);
  const renamed = done.indexOf(`rename to kept/ba/78/${ABC}`);
  expect(done.slice(0, renamed)).toContain('sync incoming/draft');
  expect(new Set(done.slice(0, renamed))).toEqual(
    new Set(['sync ..', 'sync ', 'sync incoming/draft', 'sync kept', 'sync kept/ba']),
  );
  expect(done.slice(renamed + 1)).toEqual(['sync kept/ba/78']);
});

it('bytes that stand already are answered for after their folders were flushed', async () => {
  await createFileBlobStore({ dir }).put(bytes);
  done = [];
  // Of a store that does not know who made the folders.
  await createFileBlobStore({ dir }).put(bytes);
  expect(done).toEqual(['sync ..', 'sync ', 'sync kept', 'sync kept/ba', 'sync kept/ba/78']);
});

it('temporary bytes wait for no flush of their own', async () => {
  const store = createFileBlobStore({ dir });
  await store.putTemporary(bytes, 'preflight-1');
  expect(done).not.toContain('sync incoming/draft');
  expect(done.at(-1)).toBe(`rename to temporary/ba/78/${ABC}.preflight-1`);
});
