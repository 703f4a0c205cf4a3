import { expect, it } from '@jest/globals';
import type { BlobReader } from '@launch/blob-store';
import { commitContext, keccak256Hex, sha256Digest } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { testRequest } from '../../../api-gateway/src/fixtures/test-request.js';
import { createRequestLoader } from './request.loader.js';

const request = testRequest();
const bytes = canonicalizeJson(request);
const ref = {
  launchId: null,
  requestSha256: sha256Digest(bytes),
  requestHash: keccak256Hex(bytes),
  contextHash: commitContext(request.context).contextHash,
  controller: request.launchWallet,
};
let reads = 0;
const blobs: BlobReader = { get: async () => ((reads += 1), bytes), has: async () => true };

it('reads a request once for the steps that follow each other', async () => {
  const loader = createRequestLoader(blobs, new Map());
  reads = 0;
  const launch = await loader.load(ref);
  expect(launch).toMatchObject({ family: 'multi-role.v2', request });
  expect(await loader.load(ref)).toBe(launch);
  expect(reads).toBe(1);
});

it.each([
  ['other bytes than the reference names', { requestHash: `0x${'9'.repeat(64)}` as const }],
  ['a request of another context than the reference names', { contextHash: `0x${'9'.repeat(64)}` as const }],
])('never gives %s', async (_name, wrong) => {
  const loader = createRequestLoader(blobs, new Map());
  const refusal = { code: 'REQUEST_HASH_MISMATCH', retryable: false };
  await expect(loader.load({ ...ref, ...wrong })).rejects.toMatchObject(refusal);
  await loader.load(ref);
  await expect(loader.load({ ...ref, ...wrong })).rejects.toMatchObject(refusal);
});
