import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IndexSource, LaunchRecord } from '@launch/contracts/index';
import { sourceReleaseDigest } from '@launch/evm/sources';
import { createPool, Secret } from '@launch/platform';
import { openIndexerDatabase, type IndexerDatabase } from '@launch/prisma-indexer';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { createCommitRepository, type CommitRepository } from '../src/rows/commit.repository.js';
import type { LaunchRow } from '../src/rows/index-rows.js';
import { createSourceRepository } from '../src/rows/source.repository.js';
import { launchOf, sourceAt, word } from './fixtures/index-rows.fixture.js';

let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: IndexerDatabase;
let commits: CommitRepository;
let serial = 0;
beforeAll(async () => {
  test = await createTestDatabase('indexer');
  pool = createPool({ connectionString: new Secret(test.url), applicationName: 'indexer-tests' });
  database = openIndexerDatabase(pool);
  commits = createCommitRepository(database);
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
});

/** Returns two new sources. */
async function twoSources(): Promise<readonly [IndexSource, IndexSource]> {
  const two = [sourceAt((serial += 1)), sourceAt((serial += 1))] as const;
  await createSourceRepository(database).put(
    two.map((source) => ({ releaseDigest: sourceReleaseDigest(source), source, status: 'active' as const })),
  );
  return two;
}
/** Commits a source's first range with these launches. */
const commit = (source: IndexSource, launches: readonly LaunchRow[], isFinal: boolean) =>
  commits.commit({
    releaseDigest: sourceReleaseDigest(source),
    after: null,
    through: { number: 400n, hash: word(400) },
    isFinal,
    launches,
    quarantine: [],
    swaps: [],
    holds: [],
  });
const indexOf = async (source: IndexSource) => {
  const where = { releaseDigest: sourceReleaseDigest(source) };
  const reasons = await database.quarantineJudgement.findMany({ where, select: { reason: true, detail: true } });
  return {
    launches: await database.launch.count({ where }),
    checkpoints: await database.checkpoint.count({ where }),
    reasons,
  };
};

describe('A coin that two sources claim', () => {
  const claims: readonly [string, (of: LaunchRow) => Partial<LaunchRecord>][] = [
    ['token', ({ record }) => ({ tokenAddress: record.tokenAddress })],
    ['pool', ({ record }) => ({ poolId: record.poolId })],
  ];
  it.each(claims)('delays the second source while its %s is in a block that is not final', async (_what, claim) => {
    const [one, other] = await twoSources();
    const seed = serial * 10;
    const held = launchOf(one, seed);
    const claimed = launchOf(other, seed + 1, claim(held));
    await expect(commit(one, [held], false)).resolves.toEqual({ kind: 'written' });
    await expect(commit(other, [launchOf(other, seed + 2), claimed], false)).resolves.toEqual({
      kind: 'contested',
      reason: `rows: source ${sourceReleaseDigest(one)} has ${held.record.tokenAddress} in block ${100 + seed}, which is not final`,
      event: { transactionHash: claimed.record.transactionHash, logIndex: claimed.record.logIndex },
    });
    // Nothing of the range is written, because it is read again.
    await expect(indexOf(other)).resolves.toEqual({ launches: 0, checkpoints: 0, reasons: [] });

    // The block is dropped, and its row with it.
    await commits.rollBack(sourceReleaseDigest(one), { number: 400n, hash: word(400) }, null);
    await expect(commit(other, [launchOf(other, seed + 2), claimed], false)).resolves.toEqual({ kind: 'written' });
    await expect(indexOf(other)).resolves.toEqual({ launches: 2, checkpoints: 1, reasons: [] });
  });

  it.each(claims)('is quarantined with its reason if its %s belongs to a final launch', async (_what, claim) => {
    const [one, other] = await twoSources();
    const seed = serial * 10;
    const held = launchOf(one, seed);
    await commit(one, [held], true);
    const claimed = launchOf(other, seed + 1, claim(held));
    await expect(commit(other, [launchOf(other, seed + 2), claimed], false)).resolves.toEqual({ kind: 'written' });
    await expect(indexOf(other)).resolves.toEqual({
      launches: 1,
      checkpoints: 1,
      reasons: [{ reason: 'IDENTITY_ALREADY_TAKEN', detail: expect.stringContaining(claimed.record.tokenAddress) }],
    });
    // An operator's second judgement has the same result.
    await expect(commits.admitJudged(sourceReleaseDigest(other), claimed)).resolves.toEqual({ kind: 'taken' });
  });

  it('is one launch if both sources are releases of one contract and the event is the same', async () => {
    const [one] = await twoSources();
    const release: IndexSource = { ...one, profile: 'a second release' };
    const put = { releaseDigest: sourceReleaseDigest(release), source: release, status: 'active' as const };
    await createSourceRepository(database).put([put]);
    const seed = serial * 10;
    await commit(one, [launchOf(one, seed)], false);
    await expect(commit(release, [launchOf(release, seed)], false)).resolves.toEqual({ kind: 'written' });
    await expect(indexOf(release)).resolves.toEqual({ launches: 0, checkpoints: 1, reasons: [] });
  });
});
