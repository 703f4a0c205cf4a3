import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import fs, { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Digest } from '@launch/contracts/primitives';

/** The disk operations in order: `sync` of a file or folder, and `rename` to a name. */
let done: string[] = [];
let dir: string;
/** The name for which the disk has no space. */
let refused: string | null = null;
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
  if (refused !== null && String(to).endsWith(refused)) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
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

it('Bytes are flushed before they have a name, and each folder that names them before put resolves.', async () => {
  await createFileBlobStore({ dir }).put(bytes);
  const renamed = done.indexOf(`rename to kept/ba/78/${ABC}`);
  expect(done.slice(0, renamed)).toContain('sync incoming/draft');
  expect(new Set(done.slice(0, renamed))).toEqual(
    new Set(['sync ..', 'sync ', 'sync incoming/draft', 'sync kept', 'sync kept/ba']),
  );
  expect(done.slice(renamed + 1)).toEqual(['sync kept/ba/78']);
});

it('A put of existing bytes resolves after their folders were flushed.', async () => {
  await createFileBlobStore({ dir }).put(bytes);
  done = [];
  // The new store does not know which process created the folders.
  await createFileBlobStore({ dir }).put(bytes);
  expect(done).toEqual(['sync ..', 'sync ', 'sync kept', 'sync kept/ba', 'sync kept/ba/78']);
});

it('Temporary bytes are not flushed.', async () => {
  const store = createFileBlobStore({ dir });
  await store.putTemporary(bytes, 'preflight-1');
  expect(done).not.toContain('sync incoming/draft');
  expect(done.at(-1)).toBe(`rename to temporary/ba/78/${ABC}.preflight-1`);
});

it('Several files are flushed before any has a name, and all their folders after all have one.', async () => {
  const blobs = ['abc', 'def', 'ghi'].map((text) => {
    const content = new TextEncoder().encode(text);
    return { bytes: content, digest: sha256Digest(content) };
  });
  await createFileBlobStore({ dir }).putAll([...blobs, ...blobs]);
  const steps = done.filter((step) => /draft|rename|kept\/..\/../.test(step)).map((step) => step.split(' ')[0]);
  expect(steps).toEqual([...Array(3).fill('sync'), ...Array(3).fill('rename'), ...Array(3).fill('sync')]);
  const reader = createFileBlobStore({ dir });
  for (const { bytes: content, digest } of blobs)
    expect(Buffer.from(await reader.get(digest))).toEqual(Buffer.from(content));
});

it('A refused put of several files leaves no draft, and the next put of them succeeds.', async () => {
  const store = createFileBlobStore({ dir });
  const blobs = Array.from({ length: 40 }, (_, index) => {
    const content = new TextEncoder().encode(`content ${index}`);
    return { bytes: content, digest: sha256Digest(content) };
  });
  refused = blobs.at(-1)!.digest.slice('sha256:'.length);
  await expect(store.putAll(blobs)).rejects.toMatchObject({ code: 'BLOB_IO', data: { errno: 'ENOSPC' } });
  expect(await fs.readdir(path.join(dir, 'incoming'))).toEqual([]);
  refused = null;
  await store.putAll(blobs);
  for (const { digest } of blobs) expect(await store.has(digest)).toBe(true);
});
