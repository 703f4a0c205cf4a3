import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IndexSource } from '@launch/contracts/index';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { sourceReleaseDigest } from '@launch/evm/sources';
import { createPool, RowShapeError, Secret } from '@launch/platform';
import { openIndexerDatabase, type IndexerDatabase } from '@launch/prisma-indexer';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { createHoldRepository, type HoldRepository, type HoldRow } from '../src/holds/hold.repository.js';
import { createQuarantineRepository } from '../src/quarantine/quarantine.repository.js';
import { createCommitRepository, type CommitRepository, type ReadRange } from '../src/rows/commit.repository.js';
import type { LaunchRow, QuarantineRow } from '../src/rows/index-rows.js';
import { createSourceRepository, type SourceRepository } from '../src/rows/source.repository.js';
import { HASH, launchOf, sourceAt, word } from './fixtures/index-rows.fixture.js';

let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: IndexerDatabase;
let sources: SourceRepository;
let commits: CommitRepository;
let holds: HoldRepository;
beforeAll(async () => {
  test = await createTestDatabase('indexer');
  pool = createPool({ connectionString: new Secret(test.url), applicationName: 'indexer-tests' });
  database = openIndexerDatabase(pool);
  sources = createSourceRepository(database);
  commits = createCommitRepository(database);
  holds = createHoldRepository(database);
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
});

let serial = 0;
interface Bound {
  readonly source: IndexSource;
  readonly releaseDigest: Sha256Digest;
  /** The seed of a launch of this source alone; its block is 100 higher. */
  seed(nth: number): number;
}
async function bound(): Promise<Bound> {
  const base = (serial += 1) * 10;
  const source = sourceAt(base);
  const releaseDigest = sourceReleaseDigest(source);
  await sources.put([{ releaseDigest, source, status: 'active' }]);
  return { source, releaseDigest, seed: (nth) => base + nth };
}
const NOTHING = { launches: [], quarantine: [], swaps: [], holds: [] };
const placeAt = (number: number) => ({ number: BigInt(number), hash: word(number) });
const rangeOf = ({ releaseDigest }: Bound, more: Partial<ReadRange>): ReadRange => ({
  releaseDigest,
  after: null,
  through: placeAt(1_000),
  isFinal: false,
  ...NOTHING,
  ...more,
});
const holdRow = (block: number, transactionHash: Hex | null): HoldRow => ({
  blockNumber: BigInt(block),
  transactionHash,
  subject: 'launches',
  reason: 'unreadable',
  timestamp: 1_700_000_000n,
});

const stagesOf = async ({ releaseDigest }: Bound) =>
  (await database.launch.findMany({ where: { releaseDigest }, orderBy: { blockNumber: 'asc' } })).map(
    ({ sequence, finalityStage }) => [sequence !== null, finalityStage],
  );
const [SOFT, POSTED, FINAL] = ['sequencer_soft_confirmed', 'ethereum_posted', 'ethereum_finalized'];

describe('The repository of sources', () => {
  it('adds a binding once, applies a changed status, and lists every binding by its digest', async () => {
    const { source, releaseDigest } = await bound();
    await sources.put([{ releaseDigest, source, status: 'retained' }]);
    const { status, document } = await database.source.findUniqueOrThrow({ where: { releaseDigest } });
    expect([status, document]).toEqual(['retained', source]);
    const { chainId, address, sourceVersion } = source;
    const all = await sources.all();
    expect(all).toContainEqual({ chainId, address, releaseDigest, sourceVersion });
    const digests = all.map((one) => one.releaseDigest);
    expect(digests).toEqual([...digests].sort());
  });

  it('reads the state, the position and the next retry of a source', async () => {
    const one = await bound();
    const { releaseDigest, source } = one;
    expect(await sources.find(HASH)).toBeNull();
    expect(await sources.find(releaseDigest)).toMatchObject({
      source,
      state: 'starting',
      checkpoint: null,
      position: null,
      hasHolds: false,
      nextRetryAt: null,
      rescan: null,
    });
    await commits.commit(rangeOf(one, { holds: [holdRow(50, null)] }));
    await sources.mark(releaseDigest, {
      state: 'following',
      reason: 'a reason',
      finalizedHead: 900n,
      isCurrent: true,
      isAtHead: true,
    });
    await sources.mark(releaseDigest, {
      state: 'following',
      reason: null,
      finalizedHead: null,
      isCurrent: false,
      isAtHead: false,
    });
    expect(await sources.find(releaseDigest)).toMatchObject({
      state: 'following',
      stateReason: null,
      finalizedHead: 900n,
      checkpointAt: expect.any(Date),
      position: placeAt(1_000),
      hasHolds: true,
      nextRetryAt: expect.any(Date),
    });
  });

  it('requests blocks again up to the checkpoint, and widens a request', async () => {
    const one = await bound();
    const { releaseDigest } = one;
    await sources.requestRescan(releaseDigest, 10n);
    expect((await sources.find(releaseDigest))?.rescan).toBeNull();
    await commits.commit(rangeOf(one, { isFinal: true }));
    for (const from of [500n, 10n, 700n, 2_000n]) await sources.requestRescan(releaseDigest, from);
    expect((await sources.find(releaseDigest))?.rescan).toEqual({ next: 10n, last: 1_000n });
    await commits.commitAgain({ releaseDigest, through: 600n, ...NOTHING });
    expect((await sources.find(releaseDigest))?.rescan).toEqual({ next: 601n, last: 1_000n });
    await commits.commitAgain({ releaseDigest, through: 1_000n, ...NOTHING });
    expect((await sources.find(releaseDigest))?.rescan).toBeNull();
  });

  it('refuses a source whose document is no binding', async () => {
    const releaseDigest: Sha256Digest = `sha256:${'9'.repeat(64)}`;
    const columns = {
      chainId: 4663,
      address: word(9).slice(0, 42),
      sourceVersion: 'custom-router-v1',
      status: 'active',
    };
    await database.source.create({ data: { releaseDigest, ...columns, document: {} } });
    await expect(sources.find(releaseDigest)).rejects.toThrow(RowShapeError);
  });
});

describe('The repository of ranges', () => {
  it('writes a range once after its position, and nothing after another one', async () => {
    const one = await bound();
    const range = rangeOf(one, { launches: [launchOf(one.source, one.seed(1))] });
    const done = await Promise.all([commits.commit(range), commits.commit(range)]);
    expect(done.map(({ kind }) => kind).sort()).toEqual(['moved', 'written']);
    const next = { after: { ...placeAt(1_000), hash: word(7) }, through: placeAt(2_000) };
    expect(await commits.commit(rangeOf(one, next))).toEqual({ kind: 'moved' });
    expect(await commits.admit(one.releaseDigest, next.after, placeAt(1_000))).toBe(false);
    expect(await commits.rollBack(one.releaseDigest, next.after, null)).toBe(false);
    expect(await sources.checkpoints(one.releaseDigest)).toEqual([{ ...placeAt(1_000), finalized: false }]);
    expect(await stagesOf(one)).toEqual([[false, SOFT]]);
  });

  it('numbers launches up to a final block in the order of the chain, and rolls back those above it', async () => {
    const one = await bound();
    const { releaseDigest, source } = one;
    const [first, second, third] = [1, 2, 3].map((nth) => launchOf(source, one.seed(nth))) as [
      LaunchRow,
      LaunchRow,
      LaunchRow,
    ];
    const final = placeAt(100 + one.seed(2));
    await commits.commit(rangeOf(one, { launches: [second, first], through: final }));
    await commits.commit(rangeOf(one, { launches: [third], after: final }));
    expect(await commits.admit(releaseDigest, placeAt(1_000), final)).toBe(true);
    const rows = await database.launch.findMany({ where: { releaseDigest }, orderBy: { blockNumber: 'asc' } });
    const [a, b, c] = rows.map(({ sequence }) => sequence);
    expect([b, c]).toEqual([(a ?? 0n) + 1n, null]);
    expect(await sources.progress(releaseDigest)).toMatchObject({
      checkpoint: String(final.number),
      launches: 2,
      quarantined: 0,
    });
    expect(await commits.rollBack(releaseDigest, placeAt(1_000), final)).toBe(true);
    expect(await stagesOf(one)).toEqual([
      [true, FINAL],
      [true, FINAL],
    ]);
    expect(await sources.checkpoints(releaseDigest)).toEqual([{ ...final, finalized: true }]);
    await commits.rollBack(releaseDigest, final, null);
    expect(await stagesOf(one)).toHaveLength(2);
  });

  it('marks launches as posted up to a block and as unposted from one, and names the borders', async () => {
    const one = await bound();
    const { releaseDigest, source } = one;
    const blockOf = (nth: number) => placeAt(100 + one.seed(nth));
    await commits.commit(rangeOf(one, { launches: [1, 2, 3].map((nth) => launchOf(source, one.seed(nth))) }));
    expect(await commits.openPostings(releaseDigest)).toEqual({ lowestUnposted: blockOf(1), highestPosted: null });
    await commits.markPosted(releaseDigest, blockOf(2).number);
    expect(await commits.openPostings(releaseDigest)).toEqual({
      lowestUnposted: blockOf(3),
      highestPosted: blockOf(2),
    });
    await commits.markUnposted(releaseDigest, blockOf(2).number);
    expect(await stagesOf(one)).toEqual([
      [false, POSTED],
      [false, SOFT],
      [false, SOFT],
    ]);
  });

  it('adds missing rows of blocks that were read before, and keeps existing ones', async () => {
    const one = await bound();
    const { releaseDigest, source } = one;
    const [known, missing] = [launchOf(source, one.seed(1)), launchOf(source, one.seed(2))];
    await commits.commit(rangeOf(one, { launches: [known], isFinal: true }));
    await sources.requestRescan(releaseDigest, 1n);
    const renamed = { ...known, record: { ...known.record, name: 'Another' } };
    await commits.commitAgain({ releaseDigest, through: 1_000n, ...NOTHING, launches: [renamed, missing] });
    const names = await database.launch.findMany({ where: { releaseDigest }, select: { name: true } });
    expect(names).toEqual([{ name: 'Claimed' }, { name: 'Claimed' }]);
    expect(await stagesOf(one)).toEqual([
      [true, FINAL],
      [true, FINAL],
    ]);
  });
});

describe('The repository of holds', () => {
  it('leaves out held blocks of a range, and held transactions of operators in any block', async () => {
    const one = await bound();
    const { releaseDigest } = one;
    await commits.commit(rangeOf(one, { holds: [holdRow(50, null), holdRow(51, word(1))] }));
    await holds.hold(releaseDigest, { blockNumber: '60', transactionHash: null }, 'by \u0000 hand');
    await holds.hold(releaseDigest, { blockNumber: '900', transactionHash: word(2) }, 'by hand');
    const keysOf = async (from: bigint, to: bigint) =>
      (await holds.within(releaseDigest, from, to)).map(({ blockNumber, transactionHash }) => [
        blockNumber,
        transactionHash,
      ]);
    expect(await keysOf(50n, 60n)).toEqual([
      [50n, null],
      [60n, null],
      [900n, word(2)],
    ]);
    expect(await keysOf(61n, 70n)).toEqual([[900n, word(2)]]);
    const counts = (await holds.counts()).filter((count) => count.releaseDigest === releaseDigest);
    expect(counts.map(({ cause, count }) => [cause, count]).sort()).toEqual([
      ['index', 2],
      ['operator', 2],
    ]);
  });

  it('makes a released place due, postpones a failed reading, and ends a hold with the rows of its place', async () => {
    const one = await bound();
    const { releaseDigest } = one;
    const place = { blockNumber: '50', transactionHash: null };
    expect(await holds.release(releaseDigest, place)).toBe(false);
    await commits.commit(rangeOf(one, { holds: [holdRow(50, null)] }));
    // An operator takes the place over.
    await holds.hold(releaseDigest, place, 'by hand');
    expect(await holds.due(releaseDigest, 1_000n)).toBeNull();
    expect(await holds.release(releaseDigest, place)).toBe(true);
    expect(await holds.within(releaseDigest, 0n, 1_000n)).toEqual([]);
    expect(await holds.due(releaseDigest, 49n)).toBeNull();
    const due = await holds.due(releaseDigest, 50n);
    expect(due).toEqual({ blockNumber: 50n, transactionHash: null, subject: 'launches', attempts: 0 });
    await holds.postpone(releaseDigest, due!, 60_000);
    expect(await holds.due(releaseDigest, 50n)).toBeNull();
    await holds.postpone(releaseDigest, due!, 0);
    expect(await holds.due(releaseDigest, 50n)).toMatchObject({ attempts: 2 });
    await commits.commitHeld(releaseDigest, due!, { ...NOTHING, holds: [holdRow(50, null)] });
    expect(await database.hold.count({ where: { releaseDigest } })).toBe(1);
    await commits.commitHeld(releaseDigest, due!, NOTHING);
    expect(await database.hold.count({ where: { releaseDigest } })).toBe(0);
  });
});

describe('The repository of quarantined logs', () => {
  it('appends judgements to a log, counts those that are not dismissed, and finds a log by its place', async () => {
    const quarantine = createQuarantineRepository(database);
    const one = await bound();
    const { releaseDigest, source } = one;
    const rowAt = (nth: number): QuarantineRow => ({
      blockNumber: 5n,
      blockHash: word(5),
      transactionHash: word(one.seed(nth)),
      transactionIndex: 0,
      log: { address: source.address, topics: [], data: '0x', logIndex: nth },
      reason: 'EVENT_MISMATCH',
      detail: 'a detail',
      evidenceSha256: null,
    });
    await commits.commit(rangeOf(one, { quarantine: [rowAt(1), rowAt(2)] }));
    const event = { blockHash: word(5), transactionHash: word(one.seed(1)), logIndex: 1 };
    expect([
      await quarantine.isThere(releaseDigest, event),
      await quarantine.isThere(releaseDigest, { ...event, logIndex: 2 }),
      await quarantine.isThere(HASH, event),
    ]).toEqual([true, false, false]);
    const counted = async () =>
      (await quarantine.counts()).filter((count) => count.releaseDigest === releaseDigest).map(({ count }) => count);
    expect(await counted()).toEqual([2]);
    await quarantine.append(releaseDigest, event, { outcome: 'dismissed', reason: null, detail: 'known \u0000' });
    expect(await counted()).toEqual([1]);
    expect((await sources.progress(releaseDigest)).quarantined).toBe(1);
    const judgements = await database.quarantineJudgement.findMany({
      where: { releaseDigest, logIndex: 1 },
      orderBy: { ordinal: 'asc' },
      select: { ordinal: true, outcome: true, detail: true },
    });
    const [first] = judgements;
    expect(judgements).toEqual([
      { ordinal: first?.ordinal, outcome: 'fail', detail: 'a detail' },
      { ordinal: (first?.ordinal ?? 0) + 1, outcome: 'dismissed', detail: expect.not.stringContaining('\u0000') },
    ]);
  });

  it('admits a log that passes after all, in the order of admission', async () => {
    const one = await bound();
    const { releaseDigest, source } = one;
    await commits.commit(rangeOf(one, { isFinal: true }));
    const launch = launchOf(source, one.seed(1));
    expect(await commits.admitJudged(releaseDigest, launch)).toEqual({ kind: 'written' });
    expect(await commits.admitJudged(releaseDigest, launch)).toEqual({ kind: 'taken' });
    expect(await stagesOf(one)).toEqual([[true, FINAL]]);
  });
});
