import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { insertCustomLaunch } from '../../fixtures/custom-launch.fixture.js';
import { openGatewayDatabase, type OpenedDatabase } from '../../fixtures/gateway-database.js';
import { runSql } from '../../fixtures/run-sql.js';
import { lockPublications, publishOrHold, recordOf } from '../projections/publication.repository.js';
import { FeedRepository } from './feed.repository.js';
import { HeldRecordsRepository } from './held-records.repository.js';

const anyWord = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const anyDigest = (): Sha256Digest => sha256Digest(randomBytes(8));

let opened: OpenedDatabase;
let database: GatewayDatabase;
beforeAll(async () => {
  opened = await openGatewayDatabase();
  ({ database } = opened);
});
afterAll(() => opened.close());

describe('The repositories of public feeds', () => {
  const feed = 'custom-launch.v4' as const;
  let feeds: FeedRepository;
  let held: HeldRecordsRepository;
  beforeAll(() => {
    feeds = new FeedRepository(database);
    held = new HeldRecordsRepository(database);
  });
  const evidence = anyDigest();
  /** Finishes a launch and publishes or holds its record. */
  async function finished(hold?: string) {
    const row = await insertCustomLaunch(database, 'awaiting_wallet_signature');
    const recordSha256 = anyDigest();
    const record = {
      launchId: row.launchId,
      onchainLaunchId: row.onchainLaunchId,
      record: JSON.stringify({ of: row.launchId }),
      recordSha256,
      imageSha256: row.imageSha256,
      imageMediaType: 'image/png',
      feed,
    };
    await database.transaction(async (session) => {
      await lockPublications(session);
      await runSql(session, `UPDATE launch SET status = 'finalized', evidence_sha256 = $2 WHERE launch_id = $1`, [
        row.launchId,
        evidence,
      ]);
      await publishOrHold(session, row.launchId, hold === undefined ? { record } : { recordSha256, quarantine: hold });
    });
    return record;
  }

  it('numbers concurrent publications without a gap, and lists them in that order by pages', async () => {
    expect(await feeds.head()).toBe('0');
    const records = await Promise.all(Array.from({ length: 5 }, () => finished()));
    // A page has one row more than its limit when more follow.
    const listed = [...(await feeds.list(feed, 2, '0')), ...(await feeds.list(feed, 9, '3'))];
    expect(listed.map(({ publicationNumber }) => publicationNumber)).toEqual(['1', '2', '3', '4', '5']);
    expect(listed.map(({ recordSha256 }) => recordSha256).sort()).toEqual(
      records.map(({ recordSha256 }) => recordSha256).sort(),
    );
    expect(await feeds.head()).toBe('5');
    expect(await feeds.list('multi-role.v2', 9, '0')).toEqual([]);
  });

  it('finds a published record by its launch in its own feed, and its evidence', async () => {
    const { launchId, onchainLaunchId, record, recordSha256 } = await finished();
    expect(await feeds.find(feed, onchainLaunchId)).toMatchObject({
      record,
      recordSha256,
      imageMediaType: 'image/png',
    });
    expect(await feeds.published(feed, [onchainLaunchId, anyWord()])).toEqual(new Set([onchainLaunchId]));
    expect(await feeds.evidenceOf(feed, launchId)).toBe(evidence);
    expect(await database.transaction((session) => recordOf(session, launchId))).toBe(record);
    expect([
      await feeds.find('multi-role.v3', onchainLaunchId),
      await feeds.evidenceOf('multi-role.v3', launchId),
      await feeds.evidenceOf(feed, randomUUID()),
      await database.transaction((session) => recordOf(session, randomUUID())),
    ]).toEqual([null, null, null, null]);
    const imageSha256 = anyDigest();
    const again = { launchId, onchainLaunchId, record, recordSha256, imageSha256, imageMediaType: '', feed };
    await expect(publishOrHold(database, launchId, { record: again })).rejects.toMatchObject({ code: '23505' });
  });

  it('lists held records, the oldest first, and counts those that no operator dismissed', async () => {
    const before = await feeds.customLaunchCounters();
    const [one, other] = [await finished('IMAGE_MISMATCH'), await finished('CODE_MISMATCH')];
    expect((await held.list()).map(({ name, reason }) => [name, reason])).toEqual([
      [one.launchId, 'IMAGE_MISMATCH'],
      [other.launchId, 'CODE_MISMATCH'],
    ]);
    expect(await feeds.customLaunchCounters()).toMatchObject({
      source: before.source + 2,
      published: before.published,
      quarantined: 2,
    });
    const dismissal = { record: one.launchId, reason: 'known', dismissedBy: 'an operator' };
    expect(await held.dismiss(dismissal)).toEqual({ isNew: true });
    expect(await held.dismiss({ ...dismissal, reason: 'another' })).toEqual({ isNew: false });
    expect(await held.dismiss({ ...dismissal, record: randomUUID() })).toBeNull();
    expect(await held.dismissed('v4', 5)).toEqual([
      expect.objectContaining({ name: one.launchId, dismissedReason: 'known', dismissedBy: 'an operator' }),
    ]);
    expect(await held.dismissed('ethereum', 5)).toEqual([]);
    expect(await feeds.customLaunchCounters()).toMatchObject({ source: before.source + 1, quarantined: 1 });
  });

  it('dismisses a held record of Ethereum by its place', async () => {
    const [blockHash, transactionHash] = [anyWord(), anyWord()];
    await runSql(
      database,
      'INSERT INTO ethereum_held_record (block_hash, transaction_hash, log_index, reason) VALUES ($1, $2, 7, $3)',
      [blockHash, transactionHash, 'RECORD_INVALID'],
    );
    const record = `${transactionHash}/7`;
    expect(await held.ofEthereum()).toBe(1);
    expect((await held.list()).at(-1)).toMatchObject({ name: record, launchId: null, blockHash });
    expect(await held.dismiss({ record, reason: 'known', dismissedBy: 'an operator' })).toEqual({ isNew: true });
    expect([await held.ofEthereum(), (await held.dismissed('ethereum', 5)).map(({ name }) => name)]).toEqual([
      0,
      [record],
    ]);
  });
});
