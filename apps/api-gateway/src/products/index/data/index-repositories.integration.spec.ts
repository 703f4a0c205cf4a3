import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LaunchRecord } from '@launch/contracts/index';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { createLogger, RowShapeError } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { openGatewayDatabase, type OpenedDatabase } from '../../../fixtures/gateway-database.js';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, sourceDocument, word } from '../../../fixtures/published-rows.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { CoinListRepository, type CoinFilter } from './coin-list.repository.js';
import { EthereumFeedRepository } from './ethereum-feed.repository.js';
import type { JudgedRow } from './ethereum-record.js';
import { IndexReadingRepository, type IndexReading, type IndexRow } from './index-reading.repository.js';
import { IndexRowsRepository } from './index-rows.repository.js';
import { TradesRepository } from './trades.repository.js';

const CUSTOM = sourceDocument();
const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf01) });
const ETHEREUM = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xf02),
  startBlock: '1',
});

let opened: OpenedDatabase;
let gateway: GatewayDatabase;
let index: PublishedIndex;
let launches: readonly LaunchRecord[];
beforeAll(async () => {
  [opened, index] = await Promise.all([openGatewayDatabase(), publishedIndex()]);
  gateway = opened.database;
  for (const source of [CUSTOM, NATIVE, ETHEREUM]) await index.source(source);
  launches = [
    await index.launch(CUSTOM, 3, { name: 'Third moon', creator: account(0xc1) }),
    await index.launch(CUSTOM, 1, { name: '100% moon' }),
    await index.launch(NATIVE, 2, { launchKind: null, launchId: null, routerAddress: null, stampHash: null }),
    await index.launch(CUSTOM, 4, {}, { stage: 'sequencer_soft_confirmed' }),
  ];
});
afterAll(async () => {
  await index?.close();
  await opened?.close();
});
const tokensOf = (rows: readonly { readonly record: LaunchRecord }[]) => rows.map(({ record }) => record.tokenAddress);
const [third, first, native, provisional] = [3, 1, 2, 4].map(account) as [Hex, Hex, Hex, Hex];

describe("The repository of the index's rows", () => {
  // It recalls costly reads, so a test that writes asks a new one.
  const rows = () => new IndexRowsRepository(index.database);

  it('lists every binding by its chain and address', async () => {
    expect((await rows().sources()).map(({ document }) => document.address)).toEqual([
      ETHEREUM.address,
      CUSTOM.address,
      NATIVE.address,
    ]);
  });

  it('lists final launches in the order of admission, of one chain or kind, after a number', async () => {
    const of = async (after: string, chainId: 4663 | 1 | null, sourceKind: 'module-native-v1' | null, limit = 9) =>
      tokensOf(await rows().admitted(after, { chainId, sourceKind }, limit));
    expect(await of('0', null, null)).toEqual([third, first, native]);
    expect(await of('0', null, null, 1)).toEqual([third, first]);
    expect(await of('1', 4663, null)).toEqual([first, native]);
    expect(await of('0', null, 'module-native-v1')).toEqual([native]);
    expect(await of('0', 4663, 'module-native-v1')).toEqual([native]);
    expect(await of('0', 1, null)).toEqual([]);
  });

  it('lists the stamped launches of a kind up to a block, by their place on the chain', async () => {
    const [{ blockNumber: last }] = launches as [LaunchRecord];
    expect(tokensOf(await rows().stamped('custom-router-v1', 1, last))).toEqual([first, third]);
    expect(tokensOf(await rows().stamped('custom-router-v1', 1, String(BigInt(last) - 1n)))).toEqual([first]);
    expect(await rows().stamped('custom-router-v1', 2, last)).toEqual([]);
  });

  it('finds a coin of either layer by its chain and address', async () => {
    expect(await rows().coin(4663, provisional)).toMatchObject({
      sequence: null,
      finality_stage: 'sequencer_soft_confirmed',
    });
    expect(await rows().coin(4663, first)).toMatchObject({ finality_stage: 'ethereum_finalized' });
    expect([await rows().coin(1, first), await rows().coin(4663, account(99))]).toEqual([null, null]);
  });

  it('counts and lists holds, the newest blocks first, and states which launches they cover', async () => {
    const [a, b] = launches as [LaunchRecord, LaunchRecord];
    const releases = [
      await index.hold(CUSTOM, { block: a.blockNumber }),
      await index.hold(CUSTOM, { block: '7', transaction: b.transactionHash }),
      await index.hold(NATIVE, { block: '8', subject: 'trades' }),
    ];
    try {
      const fresh = rows();
      expect(await fresh.areHeld(launches)).toEqual([true, true, false, false]);
      expect(await fresh.areHeld([])).toEqual([]);
      expect((await fresh.holds(2)).map(({ block_number: block }) => String(block))).toEqual([a.blockNumber, '8']);
      expect(await fresh.holdCounts()).toEqual(
        new Map([
          [a.sourceReleaseDigest, 2],
          [launches[2]?.sourceReleaseDigest, 1],
        ]),
      );
    } finally {
      for (const release of releases) await release();
    }
    expect(await rows().areHeld(launches)).toEqual([false, false, false, false]);
  });

  it('counts quarantined logs by reason and dismissal, lists dismissed ones, and knows taken identities', async () => {
    const [{ sourceReleaseDigest }] = launches as [LaunchRecord];
    const judged = async (block: number, reason: string, token: Hex | null, dismissal: string | null) => {
      const key = [sourceReleaseDigest, word(block), word(block), 0];
      await index.write(
        `INSERT INTO quarantine (release_digest, block_hash, transaction_hash, log_index, chain_id, block_number, transaction_index, finalized, raw_log)
         VALUES ($1, $2, $3, $4, 4663, $5, 0, true, '{}')`,
        [...key, block],
      );
      const judge = `INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail, token_address)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
      await index.write(judge, [...key, 1, 'fail', reason, 'detail', token]);
      if (dismissal !== null) await index.write(judge, [...key, 2, 'dismissed', null, dismissal, null]);
    };
    await judged(1, 'IDENTITY_ALREADY_TAKEN', account(50), null);
    await judged(2, 'IDENTITY_ALREADY_TAKEN', account(51), 'a known copy');
    await judged(3, 'IDENTITY_ALREADY_TAKEN', account(52), 'another copy');
    const fresh = rows();
    expect(await fresh.quarantine()).toEqual(
      [false, true].map((dismissed) => ({
        release_digest: sourceReleaseDigest,
        reason: 'IDENTITY_ALREADY_TAKEN',
        dismissed,
        count: dismissed ? 2 : 1,
      })),
    );
    expect((await fresh.dismissed(9)).map(({ dismissed_reason: reason }) => reason)).toEqual([
      'another copy',
      'a known copy',
    ]);
    expect(await fresh.dismissed(1)).toHaveLength(1);
    expect([
      await fresh.hasTakenIdentity([sourceReleaseDigest], account(50)),
      await fresh.hasTakenIdentity([sourceReleaseDigest], account(60)),
      await fresh.hasTakenIdentity([], account(50)),
    ]).toEqual([true, false, false]);
  });
});

describe('The repository of coin lists', () => {
  const lists = () => new CoinListRepository(index.database);
  const EVERY: CoinFilter = { mode: 'all', text: null, token: null, creator: null };
  const page = async (filter: Partial<CoinFilter>, limit = 9, offset = 0) => {
    const { total, rows } = await lists().page({ ...EVERY, ...filter }, 'newest', limit, offset);
    return [total, tokensOf(rows)];
  };

  it('pages the newest coins of both layers, with their total', async () => {
    expect(await page({})).toEqual([4, [provisional, third, native, first]]);
    expect(await page({}, 2, 1)).toEqual([4, [third, native]]);
    expect(await page({}, 2, 1_000_000)).toEqual([4, []]);
  });

  it('finds coins by a literal part of a name, by token and by creator', async () => {
    expect(await page({ text: 'MOON' })).toEqual([2, [third, first]]);
    expect(await page({ text: '0%' })).toEqual([1, [first]]);
    expect(await page({ text: 'm_on' })).toEqual([0, []]);
    expect(await page({ token: native })).toEqual([1, [native]]);
    expect(await page({ creator: account(0xc1) })).toEqual([1, [third]]);
  });
});

describe('The repository of trades', () => {
  it('reads the last trade of each traded coin, and the sums of its day', async () => {
    const trades = new TradesRepository(index.database, createLogger({ service: 'trades', level: 'silent' }));
    const [coin, other] = launches as [LaunchRecord, LaunchRecord];
    const caller = account(0xca11);
    await index.swap(coin, { block: 60, logIndex: 1, hoursAgo: 30, caller });
    await index.swap(coin, { block: 61, logIndex: 1, hoursAgo: 2, caller });
    await index.swap(coin, { block: 61, logIndex: 2, hoursAgo: 2, caller: account(0xca12) });
    const found = await trades.of([coin, other]);
    expect(found).toEqual([
      expect.objectContaining({
        token_address: coin.tokenAddress,
        caller: account(0xca12),
        log_index: 2,
        day: expect.objectContaining({ count: 2 }),
      }),
    ]);
    expect(await trades.of([])).toEqual([]);
  });
});

describe('The repositories of the feed of Ethereum', () => {
  const readAt = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second));
  const rowAt = (n: number): IndexRow => ({
    sequence: String(n),
    blockHash: word(n),
    transactionHash: word(n),
    logIndex: 0,
    transactionIndex: 0,
    evidenceSha256: sha256Digest(Buffer.from(String(n))),
    checkpointNumber: null,
    checkpointHash: null,
    checkpointAt: null,
  });
  const published = (n: number): JudgedRow => {
    const record = JSON.stringify({ n });
    return { row: rowAt(n), routerLaunchId: word(n), record, recordSha256: sha256Digest(Buffer.from(record)) };
  };
  const heldAt = (n: number): JudgedRow => ({ row: rowAt(n), held: 'record: name' });
  const reading = (second: number, counts: Partial<IndexReading>): IndexReading => ({
    readAt: readAt(second),
    launches: 0,
    judged: 0,
    rows: [],
    status: 'ok',
    ...counts,
  });

  it('reads final custom launches of Ethereum after a number, with the checkpoint that covers them', async () => {
    const readings = new IndexReadingRepository(index.database);
    const change = { sourceKind: 'ethereum-custom-v1', chainId: 1 } as const;
    await index.launch(ETHEREUM, 20, change);
    await index.launch(ETHEREUM, 21, change);
    const read = await readings.read('0', 9);
    expect(read).toMatchObject({ launches: 2, judged: 0, status: 'ok', readAt: expect.any(Date) });
    expect(read.rows.map(({ transactionHash, checkpointNumber }) => [transactionHash, checkpointNumber])).toEqual(
      [20, 21].map((seed) => [word(seed + 0x2_0000_0000), '50480000']),
    );
    const [one] = (await readings.read('0', 1)).rows;
    expect(await readings.read(one?.sequence ?? '', 9)).toMatchObject({ launches: 2, rows: [{ logIndex: 3 }] });
    await index.write('ALTER TABLE launches DISABLE TRIGGER USER');
    await index.write(`UPDATE launches SET evidence_sha256 = 'no digest' WHERE chain_id = 1`);
    await expect(readings.read('0', 9)).rejects.toThrow(RowShapeError);
    await index.write('DELETE FROM launches WHERE chain_id = 1');
    await index.write('ALTER TABLE launches ENABLE TRIGGER USER');
  });

  it('writes a reading once, publishes and holds its rows, and lists them by pages', async () => {
    const feed = new EthereumFeedRepository(gateway);
    expect(await feed.state()).toMatchObject({ lastSequence: '0', source: 0, published: 0, readAt: null });
    const judged = [published(1), heldAt(2), published(3)];
    const write = () => feed.record('0', reading(1, { launches: 3, judged: 1 }), judged, false);
    const outcomes = await Promise.all([write(), write(), write()]);
    expect(outcomes.filter((one) => one !== null)).toEqual([{ published: 2, held: 1 }]);
    expect(await feed.state()).toEqual({
      lastSequence: '3',
      source: 4,
      published: 2,
      quarantined: 2,
      indexStatus: 'ok',
      readAt: readAt(1),
    });
    expect((await feed.list(1, '0')).map(({ publicationNumber }) => publicationNumber)).toEqual(['1', '2']);
    expect(await feed.list(1, '1')).toEqual([{ publicationNumber: '2', record: '{"n":3}' }]);
    expect([
      await feed.hasEvidence(word(1), rowAt(1).evidenceSha256),
      await feed.hasEvidence(word(1), rowAt(3).evidenceSha256),
      await feed.hasEvidence(word(2), rowAt(2).evidenceSha256),
    ]).toEqual([true, false, false]);
  });

  it('releases a held row that passes later, keeps published rows, and reads again when a row is missing', async () => {
    const feed = new EthereumFeedRepository(gateway);
    expect(await feed.record('3', reading(0, {}), [], true)).toBeNull();
    expect(await feed.record('3', reading(2, { launches: 4 }), [published(2), heldAt(3), published(1)], true)).toEqual({
      published: 1,
      held: 1,
    });
    expect(await runSql(gateway, 'SELECT 1 FROM ethereum_held_record')).toEqual([]);
    expect(await feed.state()).toMatchObject({ lastSequence: '0', source: 4, published: 3, quarantined: 0 });
  });
});
