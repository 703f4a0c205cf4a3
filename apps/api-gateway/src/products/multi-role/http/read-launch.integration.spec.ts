import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchListSchema, type LaunchResource } from '@launch/contracts/multi-role';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch } from '../../../fixtures/launch.driver.js';
import { runSql } from '../../../fixtures/run-sql.js';

let gateway: Harness;
let mine: { key: string; lineageId: string };
let stranger: string;
beforeAll(async () => {
  gateway = await startHarness();
  mine = await gateway.issueKey();
  ({ key: stranger } = await gateway.issueKey());
});
afterAll(() => gateway.close());

const list = (query = '', key = mine.key): Promise<Answer> => call(`${gateway.base}${query}`, { key });
const ids = (answer: Answer): string[] => (answer.json.items as LaunchResource[]).map(({ launchId }) => launchId);
const withoutRequestId = (answer: Answer): string => answer.text.replace(/req_[0-9A-Z]{26}/, '');

describe('one launch', () => {
  it('is the same 404 for foreign and absent ids', async () => {
    const launch = await reserveLaunch(gateway, mine.key);
    for (const suffix of ['', '/finality']) {
      const foreign = await call(`${gateway.url}${launch.created.statusUrl}${suffix}`, { key: stranger });
      const absent = await call(`${gateway.base}/00000000-0000-4000-8000-000000000000${suffix}`, { key: stranger });
      expect([foreign.status, withoutRequestId(foreign)]).toEqual([404, withoutRequestId(absent)]);
      expect([...foreign.headers.keys()].sort()).toEqual([...absent.headers.keys()].sort());
      expect((await call(`${gateway.url}${launch.created.statusUrl}${suffix}`, { key: mine.key })).status).toBe(200);
    }
  });

  it('belongs to the wallet too, not to the lineage alone', async () => {
    const launch = await reserveLaunch(gateway, mine.key);
    const other = await gateway.issueKey(undefined, `0x${'9'.repeat(40)}`);
    // Nothing of the gateway's own makes such a lineage, and the database forbids it.
    const move = `UPDATE credential SET lineage_id = $2, generation = 100 WHERE credential_id = $1`;
    await expect(runSql(gateway.database, move, [other.credentialId, mine.lineageId])).rejects.toThrow(
      /what was issued stays/,
    );
    await runSql(gateway.database, 'ALTER TABLE credential DISABLE TRIGGER credential_facts_stay');
    await runSql(gateway.database, move, [other.credentialId, mine.lineageId]);
    await runSql(gateway.database, 'ALTER TABLE credential ENABLE TRIGGER credential_facts_stay');
    expect((await launch.get(other.key)).status).toBe(404);
    expect((await launch.get()).status).toBe(200);
  });
});

describe('the list', () => {
  it('pages newest first, without gaps or repeats, whatever is added meanwhile', async () => {
    const owner = await gateway.issueKey();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await reserveLaunch(gateway, owner.key)).launchId);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await list(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`, owner.key);
      const parsed = launchListSchema.parse(page.json);
      expect(parsed.items.length).toBeLessThanOrEqual(3);
      seen.push(...ids(page));
      cursor = parsed.nextCursor;
      await reserveLaunch(gateway, owner.key);
    } while (cursor !== null);
    expect(seen).toEqual([...made].reverse());
  });

  it("shows 10 unless told, and only what is one's own", async () => {
    const owner = await gateway.issueKey();
    for (let index = 0; index < 11; index += 1) await reserveLaunch(gateway, owner.key);
    expect(ids(await list('', owner.key))).toHaveLength(10);
    expect(ids(await list('?limit=25', owner.key))).toHaveLength(11);
    expect(ids(await list('', stranger))).toEqual([]);
  });

  it('shows each launch as its own route does, with its stored assessment', async () => {
    const owner = await gateway.issueKey();
    const [refused, signed] = [await reserveLaunch(gateway, owner.key), await reserveLaunch(gateway, owner.key)];
    await refused.refused(true, 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED');
    await signed.authorized();
    const { items } = launchListSchema.parse((await list('', owner.key)).json);
    expect(items).toEqual([(await signed.get()).json, (await refused.get()).json]);
    expect(items.map(({ sourceAssessment }) => sourceAssessment)).toMatchObject([
      { disposition: 'source_supported', findingCodes: [], productionAuthority: false },
      {
        disposition: 'evidence_required',
        findingCodes: ['MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'],
        productionAuthority: false,
      },
    ]);
  });

  it.each([
    'limit=0',
    'limit=01',
    'limit=26',
    'limit=-1',
    'limit=1.0',
    'limit=',
    'limit=1&limit=1',
    'Limit=1',
    'page=2',
    'limit=1e1',
    'limit=%31%30%30',
  ])('?%s is 400', async (query) =>
    expect([(await list(`?${query}`)).status, codeOf(await list(`?${query}`))]).toEqual([400, 'QUERY_INVALID']),
  );

  it('takes no cursor but its own', async () => {
    for (let index = 0; index < 2; index += 1) await reserveLaunch(gateway, mine.key);
    const cursor = (await list('?limit=1')).json.nextCursor as string;
    expect((await list(`?limit=1&cursor=${cursor}`)).status).toBe(200);
    const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    const bad = [
      '',
      'abc',
      flipped,
      `${cursor}A`,
      `${cursor}=`,
      cursor.slice(0, -1),
      'A'.repeat(513),
      `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`,
    ];
    for (const one of bad) expect([one, codeOf(await list(`?cursor=${one}`))]).toEqual([one, 'CURSOR_INVALID']);
    expect(codeOf(await list(`?cursor=${cursor}`, stranger))).toBe('CURSOR_INVALID');
    expect(codeOf(await call(`${gateway.base}/finalized?cursor=${cursor}`))).toBe('CURSOR_INVALID');
  });
});
