import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ErrorCode } from '@launch/contracts/errors';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, launchIntentHash, type CreateRequest } from '@launch/contracts/multi-role';
import { packReferenceRequest } from '../fixtures/packed-request.fixture.js';
import { verifyRequest } from './request.command.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

let bytes: Uint8Array;
let request: CreateRequest;
beforeAll(async () => {
  bytes = await packReferenceRequest();
  request = createRequestSchema.parse(parseStrictJson(bytes));
});

const codesOf = (value: Uint8Array): ErrorCode[] => verifyRequest(value).findings.map(({ code }) => code);

describe('a packed request', () => {
  it('passes with every hash that is known before signing', () => {
    const verdict = verifyRequest(bytes);
    expect(verdict).toMatchObject({
      verdict: 'pass',
      findings: [],
      details: { economics: { kind: 'recognised' }, byteLength: bytes.length },
    });
    const word = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(verdict.details).toMatchObject({
      requestHash: word,
      contextHash: word,
      graphHash: word,
      poolHash: word,
      callHash: word,
      artifactHash: word,
      onchainLaunchId: word,
    });
    expect(verdict.notChecked).toContain('compilation of the sources');
  });

  it.each<[string, (text: string) => string, ErrorCode]>([
    ['a trailing newline', (text) => `${text}\n`, 'JSON_NOT_CANONICAL'],
    [
      'members in another order',
      (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse())),
      'JSON_NOT_CANONICAL',
    ],
    ['a repeated key', (text) => text.replace('{', '{"nonce":"1",'), 'JSON_DUPLICATE_KEY'],
    ['half of it', (text) => text.slice(0, text.length / 2), 'JSON_SYNTAX'],
  ])('fails with %s', (_title, change, code) => {
    expect(codesOf(new TextEncoder().encode(change(Buffer.from(bytes).toString('utf8'))))).toEqual([code]);
  });

  it.each<[string, (changed: CreateRequest) => void, ErrorCode[]]>([
    [
      'a commitment',
      (r) => void (r.contextCommitments.profileHash = `0x${'9'.repeat(64)}`),
      ['CONTEXT_COMMITMENT_MISMATCH'],
    ],
    ['the manifest', (r) => void r.source.manifest.pop(), ['SOURCE_MANIFEST_MISMATCH']],
    [
      'a pool price',
      (r) => void (r.graphBundle.officialPool.sqrtPriceX96 = '1'),
      ['MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION'],
    ],
    ['the total', (r) => void (r.funding.totalValueWei = '1'), ['FUNDING_TOTAL_MISMATCH']],
    ['the width of the image', (r) => void (r.projectMetadata.image.width = 65), ['IMAGE_MISMATCH']],
    [
      'a byte of the image',
      (r) => void (r.source.additionalFiles[0]!.base64 = flip(r.source.additionalFiles[0]!.base64)),
      ['SOURCE_MANIFEST_MISMATCH', 'SOURCE_BUNDLE_HASH_MISMATCH', 'IMAGE_INVALID'],
    ],
    ['the name', (r) => void (r.projectMetadata.name = 'Another'), ['MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION']],
  ])('fails with %s altered', (_title, alter, codes) => {
    const changed = structuredClone(request);
    alter(changed);
    changed.launchIntentHash = launchIntentHash(changed);
    expect(new Set(codesOf(canonicalizeJson(changed)))).toEqual(new Set(codes));
  });

  it('fails when only the intent hash is stale', () => {
    expect(codesOf(canonicalizeJson({ ...request, nonce: '2' }))).toEqual(['LAUNCH_INTENT_HASH_MISMATCH']);
  });

  it('fails with a forbidden instruction in a declared runtime', () => {
    const changed = structuredClone(request);
    changed.graphBundle.components[0]!.expectedRuntimeCode = '0x00ff';
    expect(codesOf(canonicalizeJson(changed))).toContain('MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN');
  });

  it('fails under an unknown instruction policy', () => {
    const changed = structuredClone(request);
    changed.context.profile.instructionPolicy.id = 'service.unknown.v9';
    expect(codesOf(canonicalizeJson(changed))).toContain('CONTEXT_NOT_CURRENT');
  });
});

/** Flips the last bit of an image's IEND checksum. */
function flip(base64: string): string {
  const image = Buffer.from(base64, 'base64');
  image[image.length - 1]! ^= 1;
  return image.toString('base64');
}
