import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CUSTOM_LAUNCH_FEED_PATH } from '@launch/contracts/custom-launch';
import {
  ANSWER_KEYS_PATH,
  answerKeysSchema,
  ETHEREUM_FEED_PATH,
  MODULE_INDEXER_PATH,
  moduleIndexerSchema,
  ROUTER_IDENTITIES_PATH,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { AnswerSigner, publicHalfOf } from '@launch/http';
import { readKeySet, verifyAnswer } from '@launch/testing';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, sourceDocument } from '../../../fixtures/published-rows.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import {
  insertCustomLaunch,
  customLaunchEvidence,
  customLaunchFinality,
  customLaunchRecord,
} from '../../../fixtures/custom-launch.fixture.js';

const ROUTER = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xe1) });
const [key, next] = [generateKeyPairSync('ed25519').privateKey, generateKeyPairSync('ed25519').privateKey];

let index: PublishedIndex;
let gateway: Harness;
let unsigned: Harness;
/** The number of signatures that were made. */
let made = 0;

beforeAll(async () => {
  index = await publishedIndex();
  const signer = new AnswerSigner({ key, others: [publicHalfOf(next)] }, () => (made += 1) && Date.now());
  gateway = await startHarness({ indexDatabase: index.database, answerSigner: signer });
  unsigned = await startHarness({ beside: gateway, indexDatabase: index.database });
  await index.source(ROUTER);
  for (let seed = 1; seed < 6; seed += 1) await index.launch(ROUTER, seed);
  await gateway.ethereumFeed.publishEthereumLaunches();
  for (let count = 0; count < 3; count += 1) {
    const row = await insertCustomLaunch(gateway.database, 'ethereum_posted');
    const { launchId } = row;
    const evidenceSha256 = await gateway.blobs.put(canonicalizeJson(customLaunchEvidence(row)));
    const recordSha256 = await gateway.blobs.put(canonicalizeJson(customLaunchRecord(row, evidenceSha256)));
    const finality = customLaunchFinality(launchId, 'ethereum_finalized');
    await gateway.projections.recordFinalized({ launchId, recordSha256, evidenceSha256, finality, sequence: 1 });
  }
});
afterAll(async () => {
  await unsigned.close();
  await gateway.close();
  await index.close();
});

const keysOf = async () => readKeySet((await call(`${gateway.url}${ANSWER_KEYS_PATH}`)).json);
const verdictOn = async ({ status, headers, text }: Answer, target: string) =>
  verifyAnswer({ status, headers: Object.fromEntries(headers), body: Buffer.from(text), target }, await keysOf());

const TAGGED = [ETHEREUM_FEED_PATH, CUSTOM_LAUNCH_FEED_PATH, ROUTER_IDENTITIES_PATH];
const LISTS = [
  ETHEREUM_FEED_PATH,
  CUSTOM_LAUNCH_FEED_PATH,
  `${MULTI_ROLE_BASE_PATH}/finalized`,
  `${MULTI_ROLE_BASE_PATH}/finalized-v3`,
];

describe('Answers that a mirror may serve', () => {
  it.each([...TAGGED, ...LISTS.slice(2)])(
    'at %s verify by their bytes, their target and the published key alone',
    async (path) => {
      const answer = await call(`${gateway.url}${path}`);
      expect(answer.status).toBe(200);
      expect(await verdictOn(answer, path)).toMatchObject({ ok: true });
      expect(await verdictOn({ ...answer, text: `${answer.text} ` }, path)).toEqual({
        ok: false,
        reason: 'content-digest',
      });
      expect(await verdictOn(answer, `${path}?limit=1`)).toEqual({ ok: false, reason: 'signature' });
    },
  );

  it.each(LISTS)('at %s are signed page by page, each for its own query', async (path) => {
    const targets = [`${path}?limit=2`, `${path}?limit=3`];
    const [first, other] = await Promise.all(targets.map((target) => call(`${gateway.url}${target}`)));
    expect(await verdictOn(first!, targets[0]!)).toMatchObject({ ok: true });
    expect(await verdictOn(other!, targets[1]!)).toMatchObject({ ok: true });
    expect(await verdictOn(first!, targets[1]!)).toEqual({ ok: false, reason: 'signature' });
    const { nextCursor } = first!.json as { nextCursor: string | null };
    if (nextCursor === null) return;
    const target = `${path}?cursor=${encodeURIComponent(nextCursor)}&limit=2`;
    expect(await verdictOn(await call(`${gateway.url}${target}`), target)).toMatchObject({ ok: true });
  });

  it.each(TAGGED)('at %s are 304 for clients with the bytes, without headers about bytes', async (path) => {
    const whole = await call(`${gateway.url}${path}`);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toBe(`"${sha256Digest(Buffer.from(whole.text))}"`);
    const again = await call(`${gateway.url}${path}`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    for (const name of ['content-digest', 'signature', 'signature-input']) expect(again.headers.get(name)).toBeNull();
  });

  it('are signed once for each page and query, not for each request', async () => {
    const ask = (path: string) => call(`${gateway.url}${path}?limit=1`);
    const path = `${MULTI_ROLE_BASE_PATH}/finalized`;
    await ask(path);
    const before = made;
    for (let count = 0; count < 20; count += 1) await ask(path);
    expect(made).toBe(before);
    for (const feed of [ETHEREUM_FEED_PATH, CUSTOM_LAUNCH_FEED_PATH])
      for (let count = 0; count < 20; count += 1) await ask(feed);
    // The time of the counters advances every five seconds.
    expect(made - before).toBeLessThanOrEqual(6);
  });

  it('are signed again once they change', async () => {
    const target = `${ETHEREUM_FEED_PATH}?limit=25`;
    const before = await call(`${gateway.url}${target}`);
    await index.launch(ROUTER, 7);
    await gateway.ethereumFeed.publishEthereumLaunches();
    const after = await call(`${gateway.url}${target}`);
    expect(await verdictOn(after, target)).toMatchObject({ ok: true });
    expect(after.headers.get('content-digest')).not.toBe(before.headers.get('content-digest'));
    expect(await verdictOn({ ...after, headers: before.headers }, target)).toEqual({
      ok: false,
      reason: 'content-digest',
    });
  });

  it('have the same signature for HEAD, and none on errors', async () => {
    const target = `${MULTI_ROLE_BASE_PATH}/finalized?limit=1`;
    const [whole, head] = [
      await call(`${gateway.url}${target}`),
      await call(`${gateway.url}${target}`, { method: 'HEAD' }),
    ];
    for (const name of ['content-digest', 'signature', 'signature-input'])
      expect([head.text, head.headers.get(name)]).toEqual(['', whole.headers.get(name)]);
    const error = await call(`${gateway.url}${ETHEREUM_FEED_PATH}?limit=0`);
    expect([error.status, error.headers.get('signature')]).toEqual([400, null]);
  });

  it('name a key of the set that discovery names, which already contains the next key', async () => {
    const { json, headers } = await call(`${gateway.url}${ANSWER_KEYS_PATH}`);
    expect(answerKeysSchema.parse(json).keys).toEqual([publicHalfOf(key), publicHalfOf(next)]);
    expect(headers.get('etag')).toMatch(/^"sha256:/);
    const indexer = moduleIndexerSchema.parse((await call(`${gateway.url}${MODULE_INDEXER_PATH}`)).json);
    const answer = await call(`${gateway.url}${ROUTER_IDENTITIES_PATH}`);
    const { components, keysUrl, tag, algorithm } = indexer.answerSignatures!;
    expect(keysUrl).toBe(ANSWER_KEYS_PATH);
    const input = answer.headers.get('signature-input') ?? '';
    expect(input).toContain(`(${components.join(' ')});`);
    expect(input).toContain(`;alg="${algorithm}";tag="${tag}"`);
  });
});

describe('A deployment that signs nothing', () => {
  it('sends digests, states so in discovery, and publishes no key', async () => {
    for (const path of [...TAGGED, ...LISTS]) {
      const { headers } = await call(`${unsigned.url}${path}`);
      expect(headers.get('content-digest')).toMatch(/^sha-256=:[A-Za-z0-9+/]{43}=:$/);
      expect([headers.get('signature'), headers.get('signature-input')]).toEqual([null, null]);
    }
    expect(codeOf(await call(`${unsigned.url}${ANSWER_KEYS_PATH}`))).toBe('NOT_FOUND');
    expect((await call(`${unsigned.url}${MODULE_INDEXER_PATH}`)).json.answerSignatures).toBeNull();
  });

  it('has the same bytes in the multi-role feed', async () => {
    const path = `${MULTI_ROLE_BASE_PATH}/finalized`;
    const [one, other] = [await call(`${gateway.url}${path}`), await call(`${unsigned.url}${path}`)];
    expect(one.text).toBe(other.text);
  });
});
