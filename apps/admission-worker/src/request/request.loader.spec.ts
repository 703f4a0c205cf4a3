import { describe, expect, it } from '@jest/globals';
import type { BlobReader } from '@launch/blob-store';
import { canonicalizeJson } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import type { LaunchRef } from '@launch/contracts/orchestration';
import { canonicalKeccak, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { testRequest } from '../../../api-gateway/src/fixtures/test-request.js';
import { bodyBytes, customLaunch } from '../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
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

it('The loader reads a request once for consecutive steps.', async () => {
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
])('The loader never returns %s.', async (_name, wrong) => {
  const loader = createRequestLoader(blobs, new Map());
  const refusal = { code: 'REQUEST_HASH_MISMATCH', retryable: false };
  await expect(loader.load({ ...ref, ...wrong })).rejects.toMatchObject(refusal);
  await loader.load(ref);
  await expect(loader.load({ ...ref, ...wrong })).rejects.toMatchObject(refusal);
});

describe('A request of a custom launch or a plan', () => {
  const { context, request: body, plan } = customLaunch();
  const contextHash = canonicalKeccak(context);
  const contexts = new Map([[contextHash, context]]);
  const launchId = '3f2b8a4e-0000-4000-8000-000000000001';
  const stored = (bytes: Uint8Array): BlobReader => ({ get: async () => bytes, has: async () => true });
  const refOf = (family: LaunchRef['family'], bytes: Uint8Array): LaunchRef => ({
    launchId,
    ...(family === undefined ? {} : { family }),
    requestSha256: sha256Digest(bytes),
    requestHash: keccak256Hex(bytes),
    contextHash,
    controller: body.launchWallet,
  });
  const load = (of: LaunchRef, bytes: Uint8Array, known = contexts) =>
    createRequestLoader(stored(bytes), known).load(of);

  it('is read in any order of members and white space, with the context that it names', async () => {
    const spread = Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2));
    const launch = await load(refOf('custom-launch.v4', spread), spread);
    expect(launch).toMatchObject({ family: 'custom-launch.v4', request: { ...body, context } });
    const steps = bodyBytes(plan('sequential'));
    expect(await load(refOf('plan.v1', steps), steps)).toMatchObject({
      family: 'plan.v1',
      request: { mode: 'sequential', context },
    });
  });

  it.each([
    ['the context is unknown', {}, new Map(), { code: 'CONTEXT_UNKNOWN', retryable: true }],
    [
      'it names another context',
      { contextHash: `0x${'9'.repeat(64)}` as const },
      contexts,
      { code: 'REQUEST_HASH_MISMATCH', retryable: false },
    ],
  ])('is not loaded while %s', async (_why, more, known, refusal) => {
    const bytes = bodyBytes(body);
    await expect(load({ ...refOf('custom-launch.v4', bytes), ...more }, bytes, known)).rejects.toMatchObject(refusal);
  });

  it('is judged in a preflight by the gateway’s context, regardless of its own', async () => {
    const bytes = bodyBytes({ ...body, contextHash: `0x${'9'.repeat(64)}` });
    const launch = await load({ ...refOf('custom-launch.v4', bytes), launchId: null }, bytes);
    expect(launch.request.context).toEqual(context);
  });

  it('is not accepted as a request of another family', async () => {
    const bytes = bodyBytes(body);
    for (const family of [undefined, 'plan.v1'] as const)
      await expect(load(refOf(family, bytes), bytes)).rejects.toThrow();
  });
});
