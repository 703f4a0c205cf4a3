import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeBlobCollection, digestsOf } from './fixtures/blob-collection-contract.fixture.js';
import { ABC, codeOf, describeBlobStore, text, type BlobPlace } from './fixtures/blob-store-contract.fixture.js';
import { startSeaweedFs, type SeaweedFs } from './fixtures/seaweedfs.fixture.js';
import { createReadOnlyS3BlobStore, createS3BlobCollection, createS3BlobStore } from './index.js';

const hasPip = ((): boolean => {
  try {
    execFileSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
// SeaweedFS comes from a Python package.
const describeWithPip = hasPip ? describe : describe.skip;

describeWithPip('With SeaweedFS (skipped only without pip)', () => {
  let server: SeaweedFs;
  beforeAll(async () => (server = await startSeaweedFs()), 300_000);
  afterAll(() => server?.stop());

  const newPlace = (): BlobPlace => {
    const place = server.newPlace();
    return {
      open: (options = {}) => createS3BlobStore({ ...place, ...options }),
      openReader: () => createReadOnlyS3BlobStore({ ...place, credentials: server.reader }),
      openCollection: () => createS3BlobCollection(place),
      overwrite: (digest, bytes) => server.overwrite(place, `kept/${digest.slice(7)}`, bytes),
    };
  };
  describeBlobStore('of S3 objects', newPlace);
  describeBlobCollection('of S3 objects', newPlace);

  it('A collection of S3 objects leaves corrupt content for its writer to replace.', async () => {
    const place = newPlace();
    await place.open().put(text('abc'));
    await place.overwrite(ABC, text('abd'));
    expect(await place.openCollection().setAside(ABC)).toBe('corrupt');
    await place.open().put(text('abc'));
    expect(await codeOf(place.openReader().get(ABC))).toBe('none');
  });

  it('A collection of S3 objects lists more than one page in ascending order.', async () => {
    const place = newPlace();
    const contents = Array.from({ length: 1_100 }, (_, index) => text(`content ${index}`));
    const stored: string[] = [];
    for (let from = 0; from < contents.length; from += 50)
      stored.push(...(await Promise.all(contents.slice(from, from + 50).map((bytes) => place.open().put(bytes)))));
    expect(await digestsOf(place.openCollection().kept())).toEqual(stored.sort());
  });

  it('A store of S3 objects has the server refuse bytes that do not hash to their name.', async () => {
    const store = createS3BlobStore(server.newPlace());
    expect(await codeOf(store.put(text('abd'), ABC))).toBe('BLOB_CORRUPT');
    expect(await store.has(ABC)).toBe(false);
  });

  it('Refused credentials and a missing bucket are reported by their S3 code, without a key or a bucket.', async () => {
    const place = server.newPlace();
    const attempts = [
      createS3BlobStore({ ...place, credentials: server.reader }).put(text('abc')),
      createS3BlobStore({ ...place, credentials: { accessKeyId: 'writer', secretAccessKey: 'wrong' } }).get(ABC),
      createS3BlobStore({ ...place, bucket: 'no-such-bucket' }).get(ABC),
    ];
    const errors = await Promise.all(attempts.map((one) => one.catch((error: unknown) => error)));
    expect(errors).toMatchObject([
      { code: 'BLOB_IO', retryable: true, data: { errno: 'AccessDenied' } },
      { code: 'BLOB_IO', retryable: true, data: { errno: 'SignatureDoesNotMatch' } },
      { code: 'BLOB_IO', retryable: true, data: { errno: 'NoSuchBucket' } },
    ]);
    for (const error of errors) expect(String(error)).not.toMatch(/blobs|bucket|writer/);
  });

  it('Credentials of one prefix write there alone, and can neither replace nor remove what others stored.', async () => {
    const shared = server.newPlace();
    await createS3BlobStore(shared).put(text('abc'));
    const place = { ...shared, credentials: server.builder };
    const [builder, results] = [
      createS3BlobStore(place),
      createS3BlobStore({ ...place, prefix: `builds/${shared.prefix}` }),
    ];
    expect(Buffer.from(await builder.get(ABC)).toString()).toBe('abc');
    const result = await results.put(text('result'));
    expect([await results.has(result), await builder.has(result)]).toEqual([true, false]);
    await server.overwrite(shared, `kept/${ABC.slice(7)}`, text('abd'));
    const collection = createS3BlobCollection(place);
    for (const refused of [
      builder.put(text('new')),
      builder.put(text('abc')),
      builder.delete(ABC),
      builder.retire(ABC),
      collection.restore(ABC),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'BLOB_IO', data: { errno: 'AccessDenied' } });
    expect(await codeOf(createS3BlobStore(shared).get(ABC))).toBe('BLOB_CORRUPT');
  });

  it('Stores with different prefixes share no content.', async () => {
    await createS3BlobStore(server.newPlace()).put(text('abc'));
    expect(await createS3BlobStore(server.newPlace()).has(ABC)).toBe(false);
  });
});

describe('An S3 API that does not answer', () => {
  it('is temporarily unavailable within the deadline, whether it refuses connections or hangs.', async () => {
    const hanging = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => void hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as { readonly port: number };
    const place = (endpoint: string) =>
      createS3BlobStore({
        bucket: 'blobs',
        prefix: '',
        region: 'eu-west-1',
        endpoint,
        isPathStyle: true,
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        timeoutMs: 500,
      });
    const unavailable = { code: 'BLOB_UNAVAILABLE', retryable: true };
    await expect(place(`http://127.0.0.1:${port}`).get(ABC)).rejects.toMatchObject(unavailable);
    await expect(place(`http://127.0.0.1:${port}`).put(text('abc'))).rejects.toMatchObject(unavailable);
    await new Promise((resolve) => hanging.close(resolve));
    await expect(place(`http://127.0.0.1:${port}`).get(ABC)).rejects.toMatchObject(unavailable);
  });
});
