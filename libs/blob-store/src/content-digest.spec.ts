import { describe, expect, it } from '@jest/globals';
import { sha256Digest } from '@launch/contracts/primitives';
import { contentDigest } from './content-digest.js';

const content = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, index) => (index * 31) % 251);

describe('the digest of content', () => {
  it.each([0, 3, 256 * 1024, 256 * 1024 + 1, 5_000_000])('The digest of %d bytes is their SHA-256.', async (length) => {
    expect(await contentDigest(content(length))).toBe(sha256Digest(content(length)));
  });

  it('The digest of large content does not block this thread.', async () => {
    let isThere = false;
    const digest = contentDigest(content(1_000_000)).then((text) => ((isThere = true), text));
    // A digest computed on this thread would be available without a turn of the event loop.
    for (let step = 0; step < 100; step += 1) await Promise.resolve();
    expect(isThere).toBe(false);
    expect(await digest).toBe(sha256Digest(content(1_000_000)));
  });
});
