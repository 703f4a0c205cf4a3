import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { canonicalJsonText, canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  createRequestSchema,
  launchIntentHash,
  packReportSchema,
  type CreateRequest,
  type PackConfig,
} from '@launch/contracts/multi-role';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { createHash } from 'node:crypto';
import { packRefusalOf } from '../fixtures/pack-refusal.fixture.js';
import { fixtureConfig } from '../fixtures/reference.fixture.js';
import { packRequest } from './pack-request.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

const SECRET = 'sk-live-5f1e9c';
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

let zero: PackConfig;
let buy: PackConfig;
beforeAll(async () => {
  zero = await fixtureConfig('zero');
  buy = await fixtureConfig('buy');
});

const parseRequest = (bytes: Uint8Array): CreateRequest => createRequestSchema.parse(parseStrictJson(bytes));

describe('packRequest', () => {
  it('derives the members that the configuration omits, and keeps the compiler input byte for byte', () => {
    const { bytes, report } = packRequest(canonicalizeJson(buy));
    const request = parseRequest(bytes);
    expect(packReportSchema.parse(report)).toEqual(report);
    expect(request.launchIntentHash).toBe(launchIntentHash(request));
    expect(request.compilerVerification.compilationUnits[0]!.standardJsonInputBase64).toBe(
      buy.compiler.compilationUnits[0]!.standardJsonInputBase64,
    );
    expect(request).not.toHaveProperty('behaviorScenarioInputsHash');
  });

  it('gives the same bytes for formatted JSON with its members in another order', () => {
    const reversed = Object.fromEntries(Object.entries(buy).reverse());
    const formatted = encode(JSON.stringify(reversed, null, 4));
    expect(
      Buffer.from(packRequest(formatted).bytes).equals(Buffer.from(packRequest(canonicalizeJson(buy)).bytes)),
    ).toBe(true);
  });

  it('lists the manifest by the UTF-8 bytes of its paths, not by UTF-16 units', () => {
    const config = structuredClone(zero);
    // U+FB01 sorts after the surrogate pair of U+1F600 in UTF-16, before it in UTF-8.
    const paths = ['assets/\u{1f600}.txt', 'assets/ﬁ.txt'];
    config.source.additionalFiles.push(...paths.map((path) => ({ path, base64: '' })));
    // The graph's digest must follow the new bundle; that is the only fault.
    expect(packRefusalOf(canonicalizeJson(config)).findings.map(({ path }) => path)).toEqual([
      '/graphBundle/sourceBundleSha256',
    ]);
    const empty = { byteLength: 0, mode: '100644', sha256: `sha256:${createHash('sha256').digest('hex')}` };
    const known = parseRequest(packRequest(canonicalizeJson(zero)).bytes).source.manifest;
    const image = known.findIndex(({ path }) => path === zero.source.imagePath);
    // Both sort after assets/native20.png and before src/, the fi ligature first.
    const byHand = [
      ...known.slice(0, image + 1),
      { ...empty, path: paths[1]! },
      { ...empty, path: paths[0]! },
      ...known.slice(image + 1),
    ];
    config.graphBundle.sourceBundleSha256 = canonicalSha256(byHand);
    const manifest = parseRequest(packRequest(canonicalizeJson(config)).bytes).source.manifest.map(({ path }) => path);
    expect(manifest.filter((path) => path.endsWith('.txt'))).toEqual([paths[1], paths[0]]);
  });

  it('pairs optional behavioural inputs with their hash', () => {
    const config = { ...structuredClone(zero), behaviorScenarioInputs: { steps: [{ trader: 'a', amount: '1' }] } };
    expect(parseRequest(packRequest(canonicalizeJson(config)).bytes).behaviorScenarioInputsHash).toMatch(
      /^0x[0-9a-f]{64}$/,
    );
  });

  it('does not judge windows: the server does, with its clock', () => {
    const config = structuredClone(zero);
    config.permitWindow = { validAfter: '2', deadline: '1' };
    expect(() => packRequest(canonicalizeJson(config))).not.toThrow();
  });
});

describe('bytes that are not a configuration', () => {
  const table: [string, () => Uint8Array, RegExp][] = [
    ['nothing', () => new Uint8Array(0), /JSON_EMPTY/],
    [
      'a repeated key',
      () => encode(canonicalJsonText(zero).replace('{', `{"nonce":"${SECRET}",`)),
      /JSON_DUPLICATE_KEY/,
    ],
    [
      'a repeated key, escaped',
      () => encode(canonicalJsonText(zero).replace('{', '{"\\u006eonce":"1",')),
      /JSON_DUPLICATE_KEY/,
    ],
    [
      'invalid UTF-8',
      () => Buffer.concat([encode('{"a":"'), Buffer.from([0xff, 0xfe]), encode('"}')]),
      /JSON_INVALID_UTF8/,
    ],
    ['a byte order mark', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), encode('{}')]), /JSON_BYTE_ORDER_MARK/],
    [
      'a member that JavaScript would drop',
      () => encode(canonicalJsonText(zero).replace('{', `{"behaviorScenarioInputs":{"__proto__":{"a":"${SECRET}"}},`)),
      /__proto__/,
    ],
    ['more values than a request may hold', () => encode(`[${'0,'.repeat(262_143)}0]`), /JSON_VALUES_EXCEEDED/],
    ['65 levels of nesting', () => encode('['.repeat(65) + ']'.repeat(65)), /JSON_DEPTH_EXCEEDED/],
    ['text after the value', () => encode(`${canonicalJsonText(zero)} ${SECRET}`), /JSON_TRAILING_DATA/],
    ['more than 16 MiB', () => Buffer.alloc(16 * 1024 * 1024 + 1, 0x20), /larger than 16777216/],
  ];
  it.each(table)('%s', (_title, bytes, message) => {
    const refusal = packRefusalOf(bytes());
    expect(refusal).toMatchObject({ code: 'MULTI_ROLE_PACK_CONFIG_INVALID', exitCode: 3 });
    expect(refusal.findings[0]!.message).toMatch(message);
    expect(JSON.stringify(refusal.toBody())).not.toContain(SECRET);
  });
});
