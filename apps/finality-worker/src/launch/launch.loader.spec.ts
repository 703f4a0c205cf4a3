import { expect, it } from '@jest/globals';
import type { BlobReader } from '@launch/blob-store';
import { ETHEREUM_FINALITY_RULE_V1 } from '@launch/chain';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, ETHEREUM_FINALITY_V1, finalityEvidenceSchema } from '@launch/contracts/multi-role';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { recordedEvidence, recordedRequest } from '../../../../clients/verify/src/fixtures/recorded-launch.fixture.js';
import type { HandedOffLaunch } from './handed-off.types.js';
import { createLaunchLoader } from './launch.loader.js';

/** Loads the recorded launch with this policy in its context. */
async function loadUnder(finalityPolicyId: string): Promise<HandedOffLaunch> {
  const request = createRequestSchema.parse(parseStrictJson(recordedRequest()));
  request.context.providerProfile.finalityPolicyId = finalityPolicyId;
  const requestBytes = canonicalizeJson(request);
  const requestSha256 = sha256Digest(requestBytes);
  const { handoff } = finalityEvidenceSchema.parse(parseStrictJson(recordedEvidence()));
  const handoffBytes = canonicalizeJson({ ...handoff, requestSha256, requestHash: keccak256Hex(requestBytes) });
  const handoffSha256 = sha256Digest(handoffBytes);
  const stored = new Map<string, Uint8Array>([
    [requestSha256, requestBytes],
    [handoffSha256, handoffBytes],
  ]);
  const get: BlobReader['get'] = async (digest) => Buffer.from(stored.get(digest) ?? []);
  const contexts = { load: () => Promise.reject(new Error('no custom launch')) };
  return createLaunchLoader({ get } as BlobReader, contexts).load({ requestSha256, handoffSha256 });
}

it('A launch is judged by the rule of its own context.', async () => {
  expect((await loadUnder(ETHEREUM_FINALITY_V1)).rule).toBe(ETHEREUM_FINALITY_RULE_V1);
});

it('A launch with a rule that this release does not know ends its observation permanently.', async () => {
  await expect(loadUnder('service.ethereum-finality.v0')).rejects.toMatchObject({
    code: 'FINALITY_POLICY_UNKNOWN',
    retryable: false,
  });
});
