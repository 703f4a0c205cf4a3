import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CUSTOM_LAUNCH_FEED_PATH,
  customLaunchFinalizedListSchema,
  type CustomLaunchFinalized,
} from '@launch/contracts/custom-launch';
import { INDEX_STATUS_PATH, indexStatusSchema } from '@launch/contracts/index';
import { canonicalizeJson, canonicalJsonText } from '@launch/contracts/json';
import { isRecordCommand, readCommand } from '../../../composition/admin/admin.command.js';
import { runRecordCommand } from '../../../composition/admin/records.run.js';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf } from '../../../fixtures/http.client.js';
import { reserveLaunch } from '../../../fixtures/launch.driver.js';
import {
  insertCustomLaunch,
  customLaunchEvidence,
  customLaunchFinality,
  customLaunchRecord,
  type InsertedCustomLaunch,
} from '../../../fixtures/custom-launch.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { HeldRecordsRepository } from '../../../core/feeds/held-records.repository.js';

let index: PublishedIndex;
let gateway: Harness;
let feed: string;
const rows: InsertedCustomLaunch[] = [];

beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
  feed = `${gateway.url}${CUSTOM_LAUNCH_FEED_PATH}`;
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});

const put = (document: object) => gateway.blobs.put(canonicalizeJson(document));

async function finalize(row: InsertedCustomLaunch, change: Partial<CustomLaunchFinalized> = {}): Promise<void> {
  const { launchId } = row;
  const evidenceSha256 = await put(customLaunchEvidence(row));
  const recordSha256 = await put(customLaunchRecord(row, evidenceSha256, change));
  const finality = customLaunchFinality(launchId, 'ethereum_finalized');
  await gateway.projections.recordFinalized({ launchId, recordSha256, evidenceSha256, finality, sequence: 1 });
}
async function finalized(change: Partial<CustomLaunchFinalized> = {}): Promise<InsertedCustomLaunch> {
  const row = await insertCustomLaunch(gateway.database, 'ethereum_posted');
  await finalize(row, change);
  return row;
}
const pageOf = async (query = '') => {
  const answer = await call(`${feed}${query}`);
  expect([answer.status, answer.text]).toEqual([200, canonicalJsonText(answer.json)]);
  return customLaunchFinalizedListSchema.parse(answer.json);
};
const counted = async () => {
  const { sourceRowCount, publishedRowCount, quarantinedRowCount, quality, dataset } = await pageOf();
  const { asOf, ...again } = dataset;
  expect(Date.parse(asOf)).not.toBeNaN();
  expect(again).toEqual({ sourceRowCount, publishedRowCount, quarantinedRowCount });
  return [sourceRowCount, publishedRowCount, quarantinedRowCount, quality.status, ...quality.reasons];
};

/** Runs in order, since publications stay. */
describe('The feed of custom launches', () => {
  it('is empty and ready before the first launch', async () => {
    expect(await pageOf()).toMatchObject({ items: [], nextCursor: null });
    expect(await counted()).toEqual([0, 0, 0, 'ready']);
  });

  it('shows records as published, ten a page by default, and no launch of another family', async () => {
    const { key } = await gateway.issueKey();
    for (let index = 0; index < 11; index += 1) rows.push(await finalized());
    const multiRole = await reserveLaunch(gateway, key);
    await multiRole.authorized();
    await multiRole.finalized();
    const first = await pageOf();
    expect(first.items.map(({ launchId }) => launchId)).toEqual(rows.slice(0, 10).map(({ launchId }) => launchId));
    const rest = await pageOf(`?cursor=${first.nextCursor}`);
    expect([rest.items.map(({ launchId }) => launchId), rest.nextCursor]).toEqual([[rows[10]?.launchId], null]);
    const [row] = rows;
    if (row === undefined) throw new TypeError('there are rows');
    expect(first.items[0]).toEqual(customLaunchRecord(row, await put(customLaunchEvidence(row))));
    expect(await counted()).toEqual([11, 11, 0, 'ready']);
    const { json } = await call(`${gateway.base}/finalized`);
    expect((json.items as { apiLaunchId: string }[]).map(({ apiLaunchId }) => apiLaunchId)).toEqual([
      multiRole.launchId,
    ]);
    const notItsId = await call(`${gateway.base}/finalized/${row.onchainLaunchId}`);
    expect(codeOf(notItsId)).toBe('NOT_FOUND');
  });

  it('keeps its entity tag while nothing is published, answers 304 to it, and changes it with a new record', async () => {
    const ask = (etag?: string) =>
      call(`${feed}?limit=25`, etag === undefined ? {} : { headers: { 'if-none-match': etag } });
    const first = await ask();
    const etag = first.headers.get('etag') ?? '';
    const [again, unchanged] = [await ask(), await ask(etag)];
    expect([again.text, again.headers.get('etag')]).toEqual([first.text, etag]);
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    rows.push(await finalized());
    const changed = await ask(etag);
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
    expect(customLaunchFinalizedListSchema.parse(changed.json).items.at(-1)?.launchId).toBe(rows.at(-1)?.launchId);
  });

  it('serves the bundle of a published launch to anyone, by its exact digest', async () => {
    const { items } = await pageOf('?limit=1');
    const { evidence, launchId } = items[0]!;
    const answer = await call(`${gateway.url}${evidence.path}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(answer.json).toMatchObject({ launch: { launchId }, outcome: 'finalized' });
    const open = await insertCustomLaunch(gateway.database, 'ethereum_posted');
    for (const path of [
      evidence.path.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      evidence.path.replace(launchId, open.launchId),
      evidence.path.replace(launchId, 'no-id'),
    ])
      expect(codeOf(await call(`${gateway.url}${path}`))).toBe('NOT_FOUND');
  });

  it('counts a launch whose record it holds, and is not ready while it does', async () => {
    await finalized({ platformId: 'another' as 'service' });
    expect(await counted()).toEqual([13, 12, 1, 'not_ready', 'RECORDS_QUARANTINED']);
    expect((await pageOf('?limit=25')).items).toHaveLength(12);
  });

  it('stops counting a held launch once an operator dismissed it with a public and immutable reason', async () => {
    const held = new HeldRecordsRepository(gateway.database);
    const run = (line: string) => {
      const command = readCommand(line.split(' '));
      if (!isRecordCommand(command)) throw new TypeError('a command about records');
      return runRecordCommand(held, command);
    };
    const [{ launchId, onchainLaunchId } = { launchId: '', onchainLaunchId: null }] = await held.list();
    expect((await run('records list')).output).toMatch(
      new RegExp(`^${launchId} {2}\\S+Z {2}schema: platformId {2}held back\n$`),
    );
    const none = await run(`records dismiss ${rows[0]?.launchId} --by ana --reason published`);
    expect([none.found, await counted()]).toEqual([false, [13, 12, 1, 'not_ready', 'RECORDS_QUARANTINED']]);
    expect(await run(`records dismiss ${launchId} --by ana --reason another-platform`)).toEqual({
      found: true,
      output: 'dismissed\n',
    });
    expect(await counted()).toEqual([12, 12, 0, 'ready']);
    expect((await run(`records dismiss ${launchId} --by bob --reason other`)).output).toBe('was dismissed before\n');
    expect((await run('records list')).output).toMatch(/dismissed by ana: another-platform\n$/);
    const status = indexStatusSchema.parse((await call(`${gateway.url}${INDEX_STATUS_PATH}`)).json);
    expect(status.heldRecords).toEqual({
      quarantined: 0,
      dismissals: [
        {
          routerLaunchId: onchainLaunchId,
          reason: 'schema: platformId',
          dismissedReason: 'another-platform',
          dismissedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect(JSON.stringify(status)).not.toContain('ana');
    for (const rewrite of [
      "UPDATE dismissed_record SET reason = 'x'",
      'DELETE FROM dismissed_record',
      'TRUNCATE dismissed_record',
    ])
      await expect(runSql(gateway.database, rewrite)).rejects.toThrow(/written once/);
  });

  it('counts a finalized launch that is in no table of records', async () => {
    await insertCustomLaunch(gateway.database, 'finalized');
    expect(await counted()).toEqual([13, 12, 0, 'not_ready', 'RECORDS_UNPUBLISHED']);
  });

  it.each(['limit=0', 'limit=26', 'limit=01', 'cursor=nonsense', 'other=1'])(
    'answers 400 to the query %s',
    async (query) => {
      expect((await call(`${feed}?${query}`)).status).toBe(400);
    },
  );

  it('refuses a cursor of another feed', async () => {
    const { key } = await gateway.issueKey();
    const launch = await reserveLaunch(gateway, key);
    await launch.authorized();
    await launch.finalized();
    const { nextCursor } = (await call(`${gateway.base}/finalized?limit=1`)).json as { nextCursor: string };
    expect(codeOf(await call(`${feed}?cursor=${nextCursor}`))).toBe('CURSOR_INVALID');
  });
});
