import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ETHEREUM_FEED_PATH,
  ethereumFinalizedListSchema,
  INDEX_STATUS_PATH,
  indexStatusSchema,
  type EthereumFinalizedList,
  type LaunchRecord,
} from '@launch/contracts/index';
import { canonicalizeJson, canonicalJsonText } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, sourceDocument, word } from '../../../fixtures/published-rows.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { isRecordCommand, readCommand } from '../../../composition/admin/admin.command.js';
import { runRecordCommand } from '../../../composition/admin/records.run.js';
import { HeldRecordsRepository } from '../../../core/feeds/held-records.repository.js';
import { call, codeOf } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';

const CHECKPOINT = '50480000';
const FIRST = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xe1),
  endBlock: CHECKPOINT,
});
const SECOND = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xe2) });
const ROUTER = sourceDocument();

let index: PublishedIndex;
let gateway: Harness;
beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
});
afterAll(async () => {
  await gateway.close();
  await index.close();
});

const publish = (server = gateway) => server.ethereumFeed.publishEthereumLaunches();
async function pageOf(query = '', server = gateway): Promise<EthereumFinalizedList> {
  const answer = await call(`${server.url}${ETHEREUM_FEED_PATH}${query}`);
  expect([answer.status, answer.text]).toEqual([200, canonicalJsonText(answer.json)]);
  return ethereumFinalizedListSchema.parse(answer.json);
}
const counted = async (server = gateway) => {
  const { sourceRowCount, publishedRowCount, quarantinedRowCount, quality, dataset } = await pageOf('', server);
  const { asOf: _, ...again } = dataset;
  expect(again).toEqual({ sourceRowCount, publishedRowCount, quarantinedRowCount });
  return [sourceRowCount, publishedRowCount, quarantinedRowCount, quality.status, ...quality.reasons];
};
const tokensOf = ({ items }: EthereumFinalizedList) => items.map(({ market }) => market.token);
const tokens = async () => {
  const found: string[] = [];
  for (let query = '?limit=25'; ;) {
    const page = await pageOf(query);
    found.push(...tokensOf(page));
    if (page.nextCursor === null) return found;
    query = `?limit=25&cursor=${page.nextCursor}`;
  }
};
/** Rewrites the record of a launch as a faulty indexer would. */
const breakRecord = (seed: number, member: string) =>
  index.write(
    `UPDATE launches SET record = (record::jsonb - $2)::json WHERE token_address = $1 AND source_kind = 'ethereum-custom-v1'`,
    [account(seed), member],
  );

/** Runs in order, since publications stay. */
describe('The feed of Ethereum', () => {
  it('is unreliable before an index was read, and in a deployment without an index', async () => {
    expect(await counted()).toEqual([0, 0, 0, 'not_ready', 'INDEX_UNREAD']);
    const without = await startHarness();
    try {
      expect(await publish(without)).toBeNull();
      expect(await counted(without)).toEqual([0, 0, 0, 'not_ready', 'INDEX_UNREAD']);
    } finally {
      await without.close();
    }
  });

  it('does not claim to be empty while a router has no checkpoint, and is empty and ready once all have one', async () => {
    await publish();
    expect(await counted()).toEqual([0, 0, 0, 'not_ready', 'INDEX_INDETERMINATE']);
    await index.source(FIRST);
    await index.source(SECOND, { checkpointAge: null });
    await publish();
    expect(await counted()).toEqual([0, 0, 0, 'not_ready', 'INDEX_INDETERMINATE']);
    await index.source(SECOND);
    await publish();
    expect(await counted()).toEqual([0, 0, 0, 'ready']);
    expect(await pageOf()).toMatchObject({ items: [], nextCursor: null });
  });

  let launch: LaunchRecord;
  it('shows only launches that routers of any generation stamped as kind 1 on Ethereum', async () => {
    await index.source(ROUTER);
    const evidence = await gateway.blobs.put(canonicalizeJson({ evidence: 1 }));
    launch = await index.launch(FIRST, 1, { verificationDigest: evidence });
    await index.launch(ROUTER, 2);
    await index.launch(SECOND, 3, { launchKind: 2 });
    await index.launch(SECOND, 4, { name: null, symbol: 'x'.repeat(4_000) });
    await index.launch(SECOND, 5, {}, { stage: 'sequencer_soft_confirmed' });
    expect(await publish()).toEqual({ published: 2, held: 0, more: false });
    expect(await counted()).toEqual([2, 2, 0, 'ready']);
    const { items } = await pageOf();
    expect(items.map(({ market }) => market.token)).toEqual([account(1), account(4)]);
    expect(items[1]?.projectMetadata.token).toEqual({ name: null, symbol: 'x'.repeat(4_000) });
    expect(items[0]).toMatchObject({
      chainId: 1,
      caip2: 'eip155:1',
      onchain: {
        router: FIRST.address,
        routerLaunchId: launch.launchId,
        terminal: true,
        transactionHash: launch.transactionHash,
        inclusion: { blockNumber: launch.blockNumber, blockHash: launch.blockHash, transactionIndex: 0, logIndex: 3 },
        ethereumFinalized: { blockNumber: CHECKPOINT, blockHash: word(1) },
      },
      sourceVerification: { status: 'not_verified', components: [] },
      launchedAt: launch.launchedAt,
    });
    expect(JSON.stringify(items)).not.toMatch(/l2Inclusion|l1Posting|Service Custom/);
  });

  it('serves the evidence of a launch to anyone, by its exact digest', async () => {
    const { items } = await pageOf();
    const { path, sha256 } = items[0]!.evidence;
    const answer = await call(`${gateway.url}${path}`);
    expect([answer.status, sha256Digest(Buffer.from(answer.text))]).toEqual([200, sha256]);
    for (const other of [
      path.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      path.replace(launch.launchId!, word(9)),
    ])
      expect(codeOf(await call(`${gateway.url}${other}`))).toBe('NOT_FOUND');
  });

  it('publishes nothing twice under concurrent readings, and keeps the order of admission over hundreds', async () => {
    expect(await publish()).toEqual({ published: 0, held: 0, more: false });
    await index.launches(SECOND, 100, 420);
    const beside = await startHarness({ beside: gateway, indexDatabase: index.database });
    try {
      for (let round = 0; round < 12; round += 1) await Promise.all([publish(), publish(beside), publish()]);
    } finally {
      await beside.close();
    }
    expect(await counted()).toEqual([422, 422, 0, 'ready']);
    const expected = [account(1), account(4), ...Array.from({ length: 420 }, (_, at) => account(100 + at))];
    expect(await tokens()).toEqual(expected);
  });

  it('reports unpublished records while a reading is incomplete', async () => {
    await index.launches(SECOND, 1_000, 201);
    expect(await publish()).toEqual({ published: 200, held: 0, more: true });
    expect(await counted()).toEqual([623, 622, 0, 'not_ready', 'RECORDS_UNPUBLISHED']);
    expect(await publish()).toEqual({ published: 1, held: 0, more: false });
    expect(await counted()).toEqual([623, 623, 0, 'ready']);
  });

  it('has every launch of a rebuilt index that numbers them differently', async () => {
    await index.write('ALTER TABLE launches DISABLE TRIGGER USER');
    await index.write('UPDATE launches SET sequence = sequence + 100000 WHERE sequence IS NOT NULL');
    await index.launch(SECOND, 2_000);
    await index.write('UPDATE launches SET sequence = 1 WHERE token_address = $1', [account(2_000)]);
    await index.write('UPDATE launches SET sequence = sequence - 99999 WHERE sequence > 100000');
    await index.write('ALTER TABLE launches ENABLE TRIGGER USER');
    expect(await publish()).toEqual({ published: 0, held: 0, more: false });
    expect(await counted()).toEqual([624, 623, 0, 'not_ready', 'RECORDS_UNPUBLISHED']);
    for (let reading = await publish(); reading?.more === true;) reading = await publish();
    expect(await counted()).toEqual([624, 624, 0, 'ready']);
    expect((await tokens()).at(-1)).toBe(account(2_000));
  });

  it.each([
    ['launchId', 'record: launchId'],
    ['routerAddress', 'record: routerAddress'],
    ['tokenAddress', 'record: tokenAddress'],
  ])('holds a record without its %s, counts it, and continues', async (member, reason) => {
    const seed = 3_000 + member.length;
    const [source = 0, published = 0, quarantined = 0] = (await counted()) as number[];
    await index.write('ALTER TABLE launches DISABLE TRIGGER USER');
    await index.launch(SECOND, seed);
    await breakRecord(seed, member);
    await index.launch(SECOND, seed + 100);
    expect(await publish()).toEqual({ published: 1, held: 1, more: false });
    expect(await counted()).toEqual([source + 2, published + 1, quarantined + 1, 'not_ready', 'RECORDS_QUARANTINED']);
    const rows = await runSql<{ reason: string }>(
      gateway.database,
      'SELECT reason FROM ethereum_held_record ORDER BY held_at DESC LIMIT 1',
    );
    expect(rows[0]?.reason).toBe(reason);
  });

  it('stops counting a held record once an operator dismissed it with an immutable reason', async () => {
    const held = new HeldRecordsRepository(gateway.database);
    const run = (...words: string[]) => {
      const command = readCommand(['records', ...words]);
      if (!isRecordCommand(command)) throw new TypeError('a command about records');
      return runRecordCommand(held, command);
    };
    const status = async () => indexStatusSchema.parse((await call(`${gateway.url}${INDEX_STATUS_PATH}`)).json);
    const [source, published, quarantined] = (await counted()) as number[];
    const [{ name } = { name: '' }] = await held.list();
    expect((await run('list')).output).toMatch(new RegExp(`^${name} {2}\\S+Z {2}record: \\w+ {2}held back\n`));
    const dismiss = (by: string) => run('dismiss', name, '--by', by, '--reason', 'an indexer with a fault');
    expect((await dismiss('ana')).output).toBe('dismissed\n');
    expect((await dismiss('bob')).output).toBe('was dismissed before\n');
    expect((await run('dismiss', `${name}1`, '--by', 'ana', '--reason', 'x')).found).toBe(false);
    await publish();
    expect(await counted()).toEqual([source! - 1, published, quarantined! - 1, 'not_ready', 'RECORDS_QUARANTINED']);
    const { heldEthereumRecords } = await status();
    expect(heldEthereumRecords).toMatchObject({
      quarantined: quarantined! - 1,
      dismissals: [{ transactionHash: name.split('/')[0], dismissedReason: 'an indexer with a fault' }],
    });
    expect(JSON.stringify(heldEthereumRecords)).not.toMatch(/ana|bob/);
    for (const rest of (await held.list()).slice(1))
      await run('dismiss', rest.name, '--by', 'ana', '--reason', 'the same');
    await publish();
    expect(await counted()).toEqual([published, published, 0, 'ready']);
    for (const rewrite of ["UPDATE dismissed_ethereum_record SET reason = 'x'", 'TRUNCATE dismissed_ethereum_record'])
      await expect(runSql(gateway.database, rewrite)).rejects.toThrow(/written once/);
  });

  it('publishes a held record once it is correct and everything is read again', async () => {
    await index.write(
      `UPDATE launches SET record = (record::jsonb || jsonb_build_object('launchId', launch_id, 'routerAddress', router_address, 'tokenAddress', token_address))::json`,
    );
    await runSql(gateway.database, 'UPDATE ethereum_feed SET last_sequence = 0');
    for (let reading = await publish(); reading?.more === true;) reading = await publish();
    expect(await counted()).toEqual([630, 630, 0, 'ready']);
  });

  it('counts a log of a router that the index holds in quarantine, until an operator dismisses it', async () => {
    const place = [await index.source(SECOND), word(71), word(72), 1];
    await index.write(
      `INSERT INTO quarantine (release_digest, block_hash, transaction_hash, log_index, chain_id, block_number, transaction_index, finalized, raw_log)
       VALUES ($1, $2, $3, $4, 1, 50470000, 0, true, '{}')`,
      place,
    );
    const judge = (ordinal: number, outcome: string, reason: string | null) =>
      index.write(
        `INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'x')`,
        [...place, ordinal, outcome, reason],
      );
    await judge(1, 'fail', 'STAMP_MISMATCH');
    await publish();
    expect(await counted()).toEqual([631, 630, 1, 'not_ready', 'RECORDS_QUARANTINED']);
    await judge(2, 'dismissed', null);
    await publish();
    expect(await counted()).toEqual([630, 630, 0, 'ready']);
  });

  it('reports that the index is behind when it has fewer launches than were published', async () => {
    await index.write('ALTER TABLE launches DISABLE TRIGGER USER');
    await index.write('DELETE FROM launches WHERE token_address = $1', [account(519)]);
    await publish();
    expect(await counted()).toEqual([629, 630, 0, 'not_ready', 'INDEX_BEHIND']);
    await index.launch(SECOND, 519);
    await publish();
    expect(await counted()).toEqual([630, 630, 0, 'ready']);
  });

  it('reports that it is stale when the index has not advanced, and when no gateway has read it', async () => {
    await index.source(SECOND, { checkpointAge: 121 });
    await publish();
    expect(await counted()).toEqual([630, 630, 0, 'not_ready', 'INDEX_STALE']);
    await index.source(SECOND);
    await publish();
    expect(await counted()).toEqual([630, 630, 0, 'ready']);
    gateway.clock.shiftMs = 121_000;
    try {
      expect(await counted()).toEqual([630, 630, 0, 'not_ready', 'INDEX_STALE']);
    } finally {
      gateway.clock.shiftMs = 0;
    }
  });

  it('keeps its publications', async () => {
    for (const sql of [
      'DELETE FROM ethereum_record',
      'UPDATE ethereum_record SET record = $$x$$',
      'TRUNCATE ethereum_record',
    ])
      await expect(runSql(gateway.database, sql)).rejects.toThrow();
  });

  it.each(['limit=0', 'limit=26', 'limit=01', 'cursor=nonsense', 'other=1'])(
    'refuses the query %s with 400',
    async (query) => {
      expect((await call(`${gateway.url}${ETHEREUM_FEED_PATH}?${query}`)).status).toBe(400);
    },
  );
});
