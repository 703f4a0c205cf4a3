import { beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { freshKey, freshNonce, LaunchDesk } from './fixtures/launch-desk.fixture.js';
import { window, type Change } from './fixtures/request-changes.fixture.js';
import { reservations } from './fixtures/stack-databases.fixture.js';
import { codesOf, errorOf, type Answer, type LaunchApi } from './launch-api.js';
import type { MutableRequest } from './request-mutation.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const DECIDES_WITHIN_MS = 240_000;

let stack: StackAccess;
let desk: LaunchDesk;
let api: LaunchApi;

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await LaunchDesk.open(stack);
  api = desk.api;
}, STARTS_WITHIN_MS);

const allCodes = (answer: Answer): string[] => [...new Set([errorOf(answer).code, ...codesOf(answer)])].sort();

describe('a request that is refused before anything is reserved', () => {
  const cases: [string, string, number, Change][] = [
    [
      'value that is not the sum of its parts',
      'FUNDING_TOTAL_MISMATCH',
      422,
      (r) => (r.funding = { totalValueWei: '1' }),
    ],
    ['half a buy', 'FUNDING_INVALID', 422, (r) => (r.fundingPlan = { ...r.fundingPlan, minimumTokensOut: '1' })],
    ['a permit window that is too long', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(-10n, 3_700n)],
    ['a permit window that begins too early', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(-3_700n, -200n)],
    ['a permit window that begins too late', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(120n, 900n)],
    ['a permit window that ends too soon', 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID', 422, window(-100n, 20n)],
    [
      'a context that was never published',
      'CONTEXT_NOT_CURRENT',
      422,
      (r) => (r.context = { ...r.context, profile: { ...r.context.profile, profileId: 'earlier' } }),
    ],
    [
      'a policy of its own making',
      'CONTEXT_NOT_CURRENT',
      422,
      (r) =>
        (r.context = {
          ...r.context,
          profile: {
            ...r.context.profile,
            instructionPolicy: { ...r.context.profile.instructionPolicy, id: 'service.anything-goes.v1' },
          },
        }),
    ],
    [
      'another wallet than the key is bound to',
      'WALLET_BINDING_MISMATCH',
      403,
      (r) => (r.launchWallet = '0x00112233445566778899aabbccddeeff00112233'),
    ],
    [
      'an image of another width than it says',
      'IMAGE_MISMATCH',
      422,
      (r) =>
        (r.projectMetadata = {
          ...r.projectMetadata,
          image: { ...r.projectMetadata.image, width: r.projectMetadata.image.width + 1 },
        }),
    ],
    [
      'an image of another type than it says',
      'IMAGE_MISMATCH',
      422,
      (r) =>
        (r.projectMetadata = { ...r.projectMetadata, image: { ...r.projectMetadata.image, mediaType: 'image/gif' } }),
    ],
    [
      'image bytes that are no image',
      'IMAGE_INVALID',
      422,
      (r) => {
        const file = r.source.additionalFiles.find(({ path }) => path === r.source.imagePath)!;
        const raw = Buffer.from(file.base64, 'base64');
        raw[raw.length - 5]! ^= 1;
        file.base64 = raw.toString('base64');
      },
    ],
  ];
  it.each(cases)(
    'has %s',
    async (_what, code, status, change) => {
      const bytes = await desk.request(change);
      const before = await reservations(stack);
      const preflight = await api.preflight(bytes);
      const created = await api.create(bytes, freshKey());
      expect({ status: created.status, codes: allCodes(created), statusUrl: errorOf(created).statusUrl }).toEqual({
        status,
        codes: expect.arrayContaining([code]),
        statusUrl: null,
      });
      expect({ status: preflight.status, codes: allCodes(preflight) }).toEqual({ status, codes: allCodes(created) });
      expect(await reservations(stack)).toEqual(before);
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'has a context commitment that is not the hash of its context',
    async () => {
      const request = JSON.parse(Buffer.from(await desk.request()).toString('utf8')) as MutableRequest;
      request.contextCommitments = { ...request.contextCommitments, profileHash: `0x${'1'.repeat(64)}` };
      const answer = await api.create(canonicalizeJson(request), freshKey());
      expect([answer.status, codesOf(answer)]).toEqual([422, expect.arrayContaining(['CONTEXT_COMMITMENT_MISMATCH'])]);
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'has bytes that are not one canonical document of the schema, at create and preflight alike',
    async () => {
      const text = Buffer.from(await desk.request()).toString('utf8');
      const documents: [string, number, string][] = [
        [text.replace('{"attestation"', '{"attestation":null,"attestation"'), 400, 'JSON_DUPLICATE_KEY'],
        [`${text} `, 400, 'JSON_NOT_CANONICAL'],
        [text.slice(0, -1), 400, 'JSON_SYNTAX'],
        ['', 400, 'JSON_EMPTY'],
        [
          Buffer.from(canonicalizeJson({ ...(JSON.parse(text) as object), surprise: 1 })).toString('utf8'),
          422,
          'SCHEMA_UNKNOWN_FIELD',
        ],
        [' '.repeat(17 * 1024 * 1024), 413, 'REQUEST_TOO_LARGE'],
      ];
      for (const [document, status, code] of documents) {
        const created = await api.create(Buffer.from(document), freshKey());
        const preflight = await api.preflight(Buffer.from(document));
        expect([created, preflight].map((answer) => [answer.status, errorOf(answer).code])).toEqual([
          [status, code],
          [status, code],
        ]);
      }
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'has a missing or malformed Idempotency-Key, or no key at all',
    async () => {
      const body = Buffer.from(await desk.request());
      const missing = await api.send('POST', '', { body });
      const short = await api.create(body, 'short');
      const anonymous = await api.send('POST', '', { body, key: null, headers: { 'idempotency-key': freshKey() } });
      expect([missing, short, anonymous].map((answer) => [answer.status, errorOf(answer).code])).toEqual([
        [400, 'IDEMPOTENCY_KEY_REQUIRED'],
        [400, 'IDEMPOTENCY_KEY_INVALID'],
        [401, 'UNAUTHENTICATED'],
      ]);
    },
    DECIDES_WITHIN_MS,
  );

  it(
    'leaves its key and nonce to the corrected request',
    async () => {
      const nonce = freshNonce();
      const idempotencyKey = freshKey();
      const wrong = await desk.request((r) => {
        r.nonce = nonce;
        r.funding = { totalValueWei: '1' };
      });
      expect((await api.create(wrong, idempotencyKey)).status).toBe(422);
      const { launchId } = await desk.reserve(await desk.request((r) => (r.nonce = nonce)), idempotencyKey);
      expect((await desk.authorized(launchId)).wallet).not.toBeNull();
    },
    DECIDES_WITHIN_MS,
  );
});
