import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { canonicalizeJson, canonicalJsonText } from '@launch/contracts/json';
import { finalizedListSchema, finalizedRecordSchema } from '@launch/contracts/multi-role';
import { call, codeOf } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import { testRecord } from '../../../fixtures/test-documents.js';
import { testPng } from '../../../fixtures/test-png.js';

let gateway: Harness;
const launches: DrivenLaunch[] = [];
beforeAll(async () => {
  gateway = await startHarness();
  const { key } = await gateway.issueKey();
  for (let index = 0; index < 5; index += 1) {
    const launch = await reserveLaunch(gateway, key);
    await launch.authorized();
    await launch.finalized();
    launches.push(launch);
  }
});
afterAll(() => gateway.close());

const recordUrl = (launch: DrivenLaunch): string => `${gateway.base}/finalized/${launch.created.onchainLaunchId}`;

describe('The public feed', () => {
  it('The feed is paged in the order of publication and ends with a null cursor.', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { json } = await call(`${gateway.base}/finalized?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      const page = finalizedListSchema.parse(json);
      seen.push(...page.items.map(({ apiLaunchId }) => apiLaunchId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(launches.map(({ launchId }) => launchId));
  });

  it('The feed is the canonical JSON of its records, whole and in pages.', async () => {
    for (const query of ['', '?limit=5', '?limit=2']) {
      const answer = await call(`${gateway.base}/finalized${query}`);
      expect(answer.text).toBe(canonicalJsonText(answer.json));
      expect(answer.json).toEqual({
        schemaVersion: 'service.multi-role-finalized-metadata-list.v2',
        items: launches
          .slice(0, query === '?limit=2' ? 2 : 5)
          .map(({ created }) => JSON.parse(canonicalJsonText(testRecord(created)))),
        nextCursor: query === '?limit=2' ? expect.any(String) : null,
      });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=5');
    }
    expect((await call(`${gateway.base}/finalized-v3`)).text).toBe(
      '{"items":[],"nextCursor":null,"schemaVersion":"service.multi-role-finalized-metadata-list.v3"}',
    );
  });

  it('Every gateway shows a launch as soon as one has published it, and reads its record once for all requests.', async () => {
    const own = await startHarness();
    const beside = await startHarness({ beside: own });
    const recordsRead = jest.spyOn(beside.database, 'query');
    const reads = () => recordsRead.mock.calls.filter(([{ text }]) => text.includes('record_sha256')).length;
    try {
      const { key } = await own.issueKey();
      const seen = async (query = '') =>
        finalizedListSchema.parse((await call(`${beside.base}/finalized${query}`)).json).items.length;
      for (let published = 0; published < 4; published += 1) {
        recordsRead.mockClear();
        expect(await Promise.all(Array.from({ length: 20 }, () => seen()))).toEqual(Array(20).fill(published));
        expect(reads()).toBe(1);
        const launch = await reserveLaunch(own, key);
        await launch.authorized();
        await launch.finalized();
      }
      expect(await seen('?limit=3')).toBe(3);
      recordsRead.mockClear();
      // A full page is not even requested again.
      expect(await seen('?limit=3')).toBe(3);
      expect(recordsRead.mock.calls.filter(([{ text }]) => text.includes('finalized_record'))).toEqual([]);
    } finally {
      recordsRead.mockRestore();
      await beside.close();
      await own.close();
    }
  });

  it("The record's own bytes are served by their digest.", async () => {
    const [launch] = launches as [DrivenLaunch];
    const answer = await call(recordUrl(launch));
    expect(finalizedRecordSchema.parse(answer.json).apiLaunchId).toBe(launch.launchId);
    expect(answer.text).toBe(Buffer.from(canonicalizeJson(testRecord(launch.created))).toString());
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"sha256:[0-9a-f]{64}"$/);
    const again = await call(recordUrl(launch), { headers: { 'if-none-match': `"x", W/${etag}` } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(again.headers.get('ratelimit')).toMatch(/^"public"/);
    expect(answer.text).not.toMatch(/signature|standardJson|sourceLineage/);
  });

  it('The image is served as it was admitted, in a sandbox, and only under its digest.', async () => {
    const [launch] = launches as [DrivenLaunch];
    const { image } = testRecord(launch.created);
    const response = await fetch(`${recordUrl(launch)}/image/${image.sha256.slice(7)}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(testPng())).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${image.sha256}"`,
    });
    for (const hex of ['0'.repeat(64), image.sha256.slice(7).toUpperCase(), `${image.sha256.slice(7)}0`])
      expect(codeOf(await call(`${recordUrl(launch)}/image/${hex}`))).toBe('NOT_FOUND');
  });

  it.each(['limit=0', 'limit=26', 'x=1', 'limit=1&limit=2'])('The feed refuses the query %s with 400.', async (query) =>
    expect(codeOf(await call(`${gateway.base}/finalized?${query}`))).toBe('QUERY_INVALID'),
  );

  it('The feed returns 25 records unless the query sets a limit.', async () => {
    const { key } = await gateway.issueKey();
    const more = await Promise.all(Array.from({ length: 26 - launches.length }, () => reserveLaunch(gateway, key)));
    await Promise.all(more.map((launch) => launch.authorized()));
    for (const launch of more) await launch.finalized();
    const { items, nextCursor } = finalizedListSchema.parse((await call(`${gateway.base}/finalized`)).json);
    expect([items.length, nextCursor]).toEqual([25, expect.any(String)]);
    expect(
      finalizedListSchema.parse((await call(`${gateway.base}/finalized?limit=25&cursor=${nextCursor}`)).json),
    ).toMatchObject({ items: [{ apiLaunchId: more.at(-1)?.launchId }], nextCursor: null });
  });

  it('A launch that is not finalized is not found.', async () => {
    expect(codeOf(await call(`${gateway.base}/finalized/0x${'0'.repeat(64)}`))).toBe('NOT_FOUND');
  });
});
