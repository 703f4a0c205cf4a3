import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEVELOPER_LAUNCHES_PATH,
  INDEXED_LAUNCHES_PATH,
  indexVerificationSchema,
  MODULE_FOUNDATION_PATH,
  SOURCE_VERSIONS,
  verificationPathOf,
  type IndexSource,
  type SourceVersion,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { checksummed, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, sourceDocument, word } from '../../../fixtures/published-rows.js';
import { INDEX_VERIFICATION_EXAMPLE } from './coins.examples.js';

const SOURCES = SOURCE_VERSIONS.map((sourceVersion, seed) =>
  sourceDocument({
    sourceVersion,
    chainId: sourceVersion === 'ethereum-custom-v1' ? 1 : 4663,
    address: account(0xf00 + seed),
    ...(sourceVersion === 'module-foundation-v1'
      ? { factoryVersion: 'V3', contracts: { custody: { address: account(0xc00), runtimeCodeHash: word(0xc001) } } }
      : {}),
  }),
);
const seedOf = (version: SourceVersion): number => SOURCE_VERSIONS.indexOf(version) + 1;

let index: PublishedIndex;
let gateway: Harness;
beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
  for (const [at, source] of SOURCES.entries()) {
    await index.source(source);
    await index.launch(source, at + 1, { verificationDigest: await stored(source, at) });
  }
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});

/** Stores a verification document as the indexer does, before its launch. @returns its digest */
const stored = (source: IndexSource, transactionIndex: number): Promise<Sha256Digest> =>
  gateway.blobs.put(
    canonicalizeJson({
      ...INDEX_VERIFICATION_EXAMPLE,
      sourceReleaseDigest: sha256Digest(canonicalizeJson(source)),
      transactionIndex,
    }),
  );
const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  call(gateway.url + path, { headers });
const published = async (path: string): Promise<readonly Sha256Digest[]> => {
  const answer = await get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return (answer.text.match(/(?<="verificationDigest":")sha256:[0-9a-f]{64}(?=")/g) as Sha256Digest[] | null) ?? [];
};

describe('The verification document of a launch', () => {
  it('is served for each digest that a record of any source publishes, under exactly this digest', async () => {
    const foundation = checksummed(account(seedOf('module-foundation-v1')));
    const ethereum = account(seedOf('ethereum-custom-v1'));
    const digests = new Set(
      (
        await Promise.all(
          [
            INDEXED_LAUNCHES_PATH,
            `${INDEXED_LAUNCHES_PATH}/4663/${foundation}`,
            DEVELOPER_LAUNCHES_PATH,
            `${DEVELOPER_LAUNCHES_PATH}/1/${ethereum}`,
            `${MODULE_FOUNDATION_PATH}?chainId=4663&token=${foundation}`,
          ].map(published),
        )
      ).flat(),
    );
    expect(digests.size).toBe(SOURCE_VERSIONS.length);
    const releases = new Set<string>();
    for (const digest of digests) {
      const { status, text, json, headers } = await get(verificationPathOf(digest));
      expect([status, sha256Digest(Buffer.from(text))]).toEqual([200, digest]);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([
        `"${digest}"`,
        'public, max-age=31536000, immutable',
      ]);
      releases.add(indexVerificationSchema.parse(json).sourceReleaseDigest);
    }
    expect(releases.size).toBe(SOURCE_VERSIONS.length);
  });

  it('is not found under a digest that no launch has, even if a blob has it', async () => {
    const secret = await gateway.blobs.put(Buffer.from('another service keeps this'));
    for (const digest of [secret, `sha256:${'0'.repeat(64)}`] as const) {
      const answer = await get(verificationPathOf(digest));
      expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
