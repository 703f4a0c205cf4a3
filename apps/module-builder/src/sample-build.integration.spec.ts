import { beforeAll, expect, it } from '@jest/globals';
import type { BlobStore } from '@launch/blob-store';
import { createAttestation } from './attestation.service.js';
import type { BuilderParts } from './build-module.service.js';
import { compileOnce, type CompileOnce } from './compile-twice.js';
import { builderOf } from './fixtures/submitted-module.fixture.js';
import { buildSample, SAMPLE_ARTIFACT_SHA256 } from './sample-build.js';

let parts: BuilderParts;
beforeAll(() => {
  const none = {} as BlobStore;
  parts = builderOf(none);
});

const { signal } = new AbortController();
const question = { nonce: `0x${'5'.repeat(64)}` } as const;
/** Real solc with one changed byte of code, the same each time. */
const oneByteOff: CompileOnce = async (...asked) => {
  const answer = await compileOnce(...asked);
  if (!('output' in answer)) return answer;
  const { contracts } = answer.output;
  const sample = contracts.find(({ contract }) => contract === 'Sample')!;
  const object = sample.runtime.object.replace(/.$/, (last) => (last === '0' ? '1' : '0')) as `0x${string}`;
  const other = { ...sample, runtime: { ...sample.runtime, object } };
  const changed = contracts.map((one) => (one === sample ? other : one));
  return { output: { ...answer.output, contracts: changed } };
};
const refusing: CompileOnce = async () => ({ refusal: { kind: 'limit', limit: 'memory' } });

it('The confined compiler yields the sample’s pinned bytes, and the builder attests them.', async () => {
  const attestation = createAttestation(parts, buildSample(signal));
  await attestation.check();
  const said = await attestation.attest({ ...question, reviewerPolicyDigest: parts.policy.digest });
  expect(said).toMatchObject({
    sampleSha256: SAMPLE_ARTIFACT_SHA256,
    workerPublicKey: parts.policy.document.workerPublicKey,
  });
});

it.each([
  ['yields other bytes', oneByteOff],
  ['does not compile', refusing],
])('A builder whose sample %s is not ready and attests nothing.', async (_what, compile) => {
  const attestation = createAttestation(parts, buildSample(signal, compile));
  const unproven = { code: 'BUILDER_UNPROVEN' };
  await expect(attestation.check()).rejects.toMatchObject(unproven);
  await expect(attestation.attest({ ...question, reviewerPolicyDigest: parts.policy.digest })).rejects.toMatchObject(
    unproven,
  );
});
