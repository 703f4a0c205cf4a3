import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { describeBlobCollection } from './fixtures/blob-collection-contract.fixture.js';
import { ABC, codeOf, describeBlobStore, text, type BlobPlace } from './fixtures/blob-store-contract.fixture.js';
import { BlobError, createFileBlobCollection, createFileBlobStore, createReadOnlyFileBlobStore } from './index.js';

let dir: string;
beforeEach(async () => {
  dir = path.join(await mkdtemp(path.join(tmpdir(), 'blob-store-')), 'root');
});
afterEach(async () => {
  await rm(path.dirname(dir), { recursive: true, force: true });
});

const keptFile = (digest: string): string => {
  const hex = digest.slice(7);
  return path.join(dir, 'kept', hex.slice(0, 2), hex.slice(2, 4), hex);
};

const newPlace = (): BlobPlace => ({
  open: (options = {}) => createFileBlobStore({ dir, ...options }),
  openReader: () => createReadOnlyFileBlobStore({ dir }),
  openCollection: () => createFileBlobCollection({ dir }),
  overwrite: (digest, bytes) => writeFile(keptFile(digest), bytes),
});
describeBlobStore('of files', newPlace);
describeBlobCollection('of files', newPlace);

describe('kept blobs', () => {
  it('are named by their SHA-256 and read back unchanged', async () => {
    const store = createFileBlobStore({ dir });
    expect(await store.put(text('abc'))).toBe(ABC);
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
    expect(await store.has(ABC)).toBe(true);
    expect(await readdir(path.join(dir, 'incoming'))).toEqual([]);
  });

  it('are never visible from a write that stopped before its rename', async () => {
    const store = createFileBlobStore({ dir });
    await store.put(text('other'));
    await writeFile(path.join(dir, 'incoming', `${ABC.slice(7)}.half`), 'ab');
    expect(await store.has(ABC)).toBe(false);
    expect(await codeOf(store.get(ABC))).toBe('BLOB_ABSENT');
    expect(await store.sweep(-60_000)).toBe(1);
    expect(await readdir(path.join(dir, 'incoming'))).toEqual([]);
  });

  it.each(['kept', 'incoming', '.'])(
    'get a removed folder again at the put after the one that failed: %s',
    async (taken) => {
      const store = createFileBlobStore({ dir });
      await store.put(text('abc'));
      await rm(path.dirname(keptFile(ABC)), { recursive: true });
      await rm(path.join(dir, taken), { recursive: true });
      expect(await codeOf(store.put(text('abc')))).toBe('BLOB_IO');
      expect(await codeOf(store.put(text('abc')))).toBe('none');
      expect(Buffer.from(await createReadOnlyFileBlobStore({ dir }).get(ABC)).toString()).toBe('abc');
    },
  );

  it('are not read through a symbolic link, even to the right bytes', async () => {
    const store = createFileBlobStore({ dir });
    const outside = path.join(path.dirname(dir), 'outside');
    await writeFile(outside, 'abc');
    await mkdir(path.dirname(keptFile(ABC)), { recursive: true });
    await symlink(outside, keptFile(ABC));
    const error = await store.get(ABC).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BlobError);
    expect(error).toMatchObject({ code: 'BLOB_IO', retryable: true, data: { errno: 'ELOOP' } });
    expect(String(error)).not.toContain(dir);
  });
});

describe('temporary blobs', () => {
  it('report the errno of a refusal without a path, and leave no draft', async () => {
    const store = createFileBlobStore({ dir });
    const hex = ABC.slice(7);
    await mkdir(path.join(dir, 'temporary', hex.slice(0, 2), hex.slice(2, 4), `${hex}.owner`, 'in-the-way'), {
      recursive: true,
    });
    const error = await store.putTemporary(text('abc'), 'owner').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'BLOB_IO', retryable: true, data: { errno: 'EISDIR' } });
    expect(String(error)).not.toContain(dir);
    expect(await readdir(path.join(dir, 'incoming'))).toEqual([]);
  });

  it('are swept by age, while kept ones never are', async () => {
    const store = createFileBlobStore({ dir });
    await store.put(text('kept'));
    await store.putTemporary(text('abc'), 'old');
    await store.putTemporary(text('abc'), 'young');
    const hex = ABC.slice(7);
    const old = path.join(dir, 'temporary', hex.slice(0, 2), hex.slice(2, 4), `${hex}.old`);
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(old, hourAgo, hourAgo);
    await utimes(keptFile(sha256Digest(text('kept'))), hourAgo, hourAgo);
    expect(await store.sweep(1_800_000)).toBe(1);
    expect(await store.has(ABC)).toBe(true);
    expect(await store.has(sha256Digest(text('kept')))).toBe(true);
  });
});

describe('the read-only store', () => {
  it('reads the writer’s content, cannot write and creates no folder', async () => {
    const reader = createReadOnlyFileBlobStore({ dir });
    expect(await codeOf(reader.get(ABC))).toBe('BLOB_ABSENT');
    expect(await readdir(path.dirname(dir))).toEqual([]);
    await createFileBlobStore({ dir }).put(text('abc'));
    expect(Buffer.from(await reader.get(ABC)).toString()).toBe('abc');
    expect(Object.keys(reader).sort()).toEqual(['get', 'has']);
  });
});

describe('retired content', () => {
  const none = async (): Promise<ReadonlySet<Sha256Digest>> => new Set();

  it('can be read until its removal, which waits for the minimum age', async () => {
    const store = createFileBlobStore({ dir });
    await store.put(text('abc'));
    await store.retire(ABC);
    expect(await readdir(path.dirname(keptFile(ABC)))).toEqual([]);
    expect([await store.has(ABC), Buffer.from(await store.get(ABC)).toString()]).toEqual([true, 'abc']);
    expect(await store.removeRetired(60_000, none)).toBe(0);
    expect(await store.has(ABC)).toBe(true);
    expect(await store.removeRetired(0, none)).toBe(1);
    expect([await store.has(ABC), await codeOf(store.get(ABC))]).toEqual([false, 'BLOB_ABSENT']);
  });

  it('may be absent, and an old file counts its age from its retirement', async () => {
    const store = createFileBlobStore({ dir });
    await store.retire(ABC);
    expect(await store.removeRetired(0, none)).toBe(0);
    await store.put(text('abc'));
    await utimes(keptFile(ABC), new Date(0), new Date(0));
    await store.retire(ABC);
    expect(await store.removeRetired(60_000, none)).toBe(0);
  });
});
