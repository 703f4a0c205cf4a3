import { generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { signedCustomLaunchRefusalSchema } from '@launch/contracts/custom-launch';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import { signedRefusalSchema } from '@launch/contracts/multi-role';
import { createEd25519Signer } from '@launch/platform';
import { canonicalKeccak, keccak256Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { testRequest } from '../../../api-gateway/src/fixtures/test-request.js';
import { bodyBytes, customLaunch } from '../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import { issueRefusal } from './refusal.service.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signer = createEd25519Signer(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const request = testRequest({ nonce: '77' });
const bytes = canonicalizeJson(request);
const launchId = randomUUID();
const custom = customLaunch();
const contexts = new Map([[canonicalKeccak(custom.context), custom.context]]);

let dir: string;
let blobs: BlobStore;
let requestSha256: Sha256Digest;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'refusal-'));
  blobs = createFileBlobStore({ dir });
  requestSha256 = await blobs.put(bytes);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const issue = (more: object = {}) =>
  issueRefusal(
    { blobs, signer, contexts },
    { launchId, requestSha256, requestHash: keccak256Hex(bytes), codes: ['COMPILER_ERROR', 'COMPILER_ERROR'], ...more },
  );

it("The service signs the controller and nonce of the request's own bytes, with the same result each time.", async () => {
  const { refusalSha256 } = await issue();
  const { refusal, signature } = signedRefusalSchema.parse(assertCanonicalJson(await blobs.get(refusalSha256)));
  expect(refusal).toEqual({
    schemaVersion: 'service.multi-role-launch-refusal.v2',
    kind: 'refusal',
    launchId,
    requestSha256,
    requestHash: keccak256Hex(bytes),
    controller: request.launchWallet,
    nonce: '77',
    router: request.context.chainDeployment.router.address,
    codes: ['COMPILER_ERROR'],
  });
  expect(verify(null, canonicalizeJson(refusal), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  expect(await issue()).toEqual({ refusalSha256 });
});

it('The service signs for a custom launch with the router of its context, in codes of its own.', async () => {
  const body = bodyBytes(custom.request);
  const asked = {
    family: 'custom-launch.v4',
    requestSha256: await blobs.put(body),
    requestHash: keccak256Hex(body),
    codes: ['CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE'],
  };
  const { refusalSha256 } = await issue(asked);
  const { refusal } = signedCustomLaunchRefusalSchema.parse(assertCanonicalJson(await blobs.get(refusalSha256)));
  expect(refusal).toMatchObject({
    family: 'custom-launch.v4',
    launchId,
    controller: custom.request.launchWallet,
    nonce: custom.request.nonce,
    router: custom.context.chainDeployment.router.address,
    codes: asked.codes,
  });
  const foreign = bodyBytes({ ...custom.request, contextHash: `0x${'9'.repeat(64)}` });
  const unknown = { ...asked, requestSha256: await blobs.put(foreign), requestHash: keccak256Hex(foreign) };
  await expect(issue(unknown)).rejects.toMatchObject({ code: 'CONTEXT_UNKNOWN', retryable: true });
});

it('The service signs for a request that this build cannot read completely.', async () => {
  const later = canonicalizeJson({ ...request, fieldOfALaterRelease: true });
  await expect(
    issue({ requestSha256: await blobs.put(later), requestHash: keccak256Hex(later) }),
  ).resolves.toHaveProperty('refusalSha256');
});

it.each([
  ['another request than the bytes', async () => ({ requestHash: `0x${'9'.repeat(64)}` })],
  [
    'bytes that are not a request',
    async () => {
      const none = canonicalizeJson({});
      return { requestSha256: await blobs.put(none), requestHash: keccak256Hex(none) };
    },
  ],
])('The service refuses to sign %s.', async (_name, change) => {
  await expect(issue(await change())).rejects.toMatchObject({ code: 'REQUEST_HASH_MISMATCH', retryable: false });
});

it.each([
  ['no code', { codes: [] }],
  ['an unknown code', { codes: ['NO_SUCH_CODE'] }],
  ['no launch', { launchId: 'x' }],
  ['an unknown member', { nonce: '1' }],
])('The service refuses an input with %s.', async (_name, change) => {
  await expect(issue(change)).rejects.toThrow();
});
