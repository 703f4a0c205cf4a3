import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { BlobError, createFileBlobStore, createReadOnlyFileBlobStore, type BlobErrorCode } from './index.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const ABC = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

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

async function codeOf(promise: Promise<unknown>): Promise<BlobErrorCode | 'none'> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    if (error instanceof BlobError) return error.code;
    throw error;
  }
}

describe('kept blobs', () => {
  it('are named by their SHA-256 and read back unchanged', async () => {
    const store = createFileBlobStore({ dir });
    expect(await store.put(text('abc'))).toBe(ABC);
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
    expect(await store.has(ABC)).toBe(true);
    expect(await readdir(path.join(dir, 'incoming'))).toEqual([]);
  });

  it('may be empty', async () => {
    const store = createFileBlobStore({ dir });
    expect(await store.get(await store.put(new Uint8Array()))).toEqual(new Uint8Array());
  });

  it('are hashed as stored, even if the caller changes its buffer meanwhile', async () => {
    const store = createFileBlobStore({ dir });
    const buffer = text('abc');
    const pending = store.put(buffer);
    buffer.fill(0);
    expect(await pending).toBe(ABC);
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
  });

  it('take a digest from the caller, under which other bytes are never read back', async () => {
    const store = createFileBlobStore({ dir });
    expect(await store.put(text('abc'), ABC)).toBe(ABC);
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
    const wrong = `sha256:${'0'.repeat(64)}` as const;
    await store.put(text('abc'), wrong);
    expect(await codeOf(store.get(wrong))).toBe('BLOB_CORRUPT');
  });

  it('survive a race of 64 writers of equal and different content, over two stores on one folder', async () => {
    const stores = [createFileBlobStore({ dir }), createFileBlobStore({ dir })];
    const digests = await Promise.all(
      Array.from({ length: 64 }, (_, index) => stores[index % 2]!.put(text(`content ${index % 4}`))),
    );
    expect(new Set(digests).size).toBe(4);
    for (const [index, digest] of digests.entries()) {
      expect(Buffer.from(await stores[0]!.get(digest)).toString()).toBe(`content ${index % 4}`);
    }
    expect(await readdir(path.join(dir, 'incoming'))).toEqual([]);
  });

  it('can be deleted, and deleting absent content is not an error', async () => {
    const store = createFileBlobStore({ dir });
    await store.put(text('abc'));
    await store.delete(ABC);
    await store.delete(ABC);
    expect(await store.has(ABC)).toBe(false);
    expect(await codeOf(store.get(ABC))).toBe('BLOB_ABSENT');
  });

  it.each([
    ['a torn tail', async (file: string) => truncate(file, 1)],
    ['a flipped byte', async (file: string) => rewrite(file, text('abd'))],
    ['an emptied file', async (file: string) => truncate(file, 0)],
  ])('refuses %s as corrupt and heals it on the next put', async (_name, damage) => {
    const store = createFileBlobStore({ dir });
    await store.put(text('abc'));
    await damage(keptFile(ABC));
    expect(await codeOf(store.get(ABC))).toBe('BLOB_CORRUPT');
    await store.put(text('abc'));
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
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

  it('are bounded in size when written and when read', async () => {
    const store = createFileBlobStore({ dir, maxBytes: 3 });
    expect(await store.put(text('abc'))).toBe(ABC);
    expect(await codeOf(store.put(text('abcd')))).toBe('BLOB_TOO_LARGE');
    await rewrite(keptFile(ABC), text('abcdefgh'));
    expect(await codeOf(store.get(ABC))).toBe('BLOB_TOO_LARGE');
  });

  it.each(['', 'sha256:', ABC.toUpperCase(), ABC.slice(7), `${ABC}\n`, 'sha256:../../../../etc/passwd', `${ABC}0`])(
    'refuse a name that is not a digest: %j',
    async (text) => {
      const name = text as Sha256Digest;
      const store = createFileBlobStore({ dir });
      expect(await codeOf(store.get(name))).toBe('BLOB_NAME_INVALID');
      expect(await codeOf(store.has(name))).toBe('BLOB_NAME_INVALID');
      expect(await codeOf(store.delete(name))).toBe('BLOB_NAME_INVALID');
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

  it('are read like kept ones and belong to their owner', async () => {
    const store = createFileBlobStore({ dir });
    expect(await store.putTemporary(text('abc'), 'preflight-1')).toBe(ABC);
    await store.putTemporary(text('abc'), 'preflight-2');
    await store.deleteTemporary(ABC, 'preflight-1');
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
    await store.deleteTemporary(ABC, 'preflight-2');
    expect(await store.has(ABC)).toBe(false);
  });

  it('do not affect equal content that a request kept', async () => {
    const store = createFileBlobStore({ dir });
    await store.putTemporary(text('abc'), 'preflight-1');
    await store.put(text('abc'));
    await store.deleteTemporary(ABC, 'preflight-1');
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
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

  it.each(['', '../x', 'A', 'a/b', 'x'.repeat(65)])(
    'refuse an owner without the documented form: %j',
    async (owner) => {
      const store = createFileBlobStore({ dir });
      expect(await codeOf(store.putTemporary(text('abc'), owner))).toBe('BLOB_NAME_INVALID');
    },
  );
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

async function rewrite(file: string, bytes: Uint8Array): Promise<void> {
  await chmod(file, 0o640);
  await writeFile(file, bytes);
}

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

  it('is kept again if a record names it, and if the same bytes are stored again', async () => {
    const store = createFileBlobStore({ dir });
    await store.put(text('abc'));
    await store.retire(ABC);
    expect(await store.removeRetired(0, async (digests) => new Set(digests))).toBe(0);
    expect(await readdir(path.dirname(keptFile(ABC)))).toHaveLength(1);
    await store.retire(ABC);
    await store.put(text('abc'));
    expect(await store.removeRetired(0, none)).toBe(1);
    expect(Buffer.from(await store.get(ABC)).toString()).toBe('abc');
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
