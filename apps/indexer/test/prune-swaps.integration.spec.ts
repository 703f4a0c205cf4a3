import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, Secret } from '@launch/platform';
import { openIndexerDatabase, type IndexerDatabase } from '@launch/prisma-indexer';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { pruneSwaps } from '../src/rows/prune-swaps.js';

const RETENTION_DAYS = 400;
const RELEASE = `sha256:${'1'.repeat(64)}`;
const NOT_ABORTED = new AbortController().signal;

let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: IndexerDatabase;
beforeAll(async () => {
  test = await createTestDatabase('indexer');
  pool = createPool({ connectionString: new Secret(test.url), applicationName: 'prune-tests' });
  database = openIndexerDatabase(pool);
  // Every block is final.
  await database.$executeRaw`
    INSERT INTO sources (release_digest, chain_id, address, source_version, document, status, checkpoint_number)
    VALUES (${RELEASE}, 4663, ${`0x${'a'.repeat(40)}`}, 'custom-router-v1', '{}', 'active', 1000000)`;
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
});

const coin = (digit: string): string => `0x${digit.repeat(40)}`;
/** Inserts trades of a coin, one per block, the first this many days ago and each a minute later. */
const trades = (token: string, count: number, daysAgo: number, firstBlock: number) => database.$executeRaw`
  INSERT INTO swaps (release_digest, chain_id, token_address, pool_id, block_number, block_hash, block_time, transaction_hash, log_index,
                     caller, amount0, amount1, sqrt_price_x96, liquidity, tick)
  SELECT ${RELEASE}, 4663, ${token}, ${`0x${'c'.repeat(64)}`}, n, '0x' || lpad(to_hex(n), 64, '0'),
         now() - ${daysAgo}::int * interval '1 day' + (n - ${firstBlock}::int) * interval '1 minute', '0x' || lpad(to_hex(n), 64, '0'), 1,
         ${coin('d')}, -1, 1, 1, 1, 0
    FROM generate_series(${firstBlock}::int, ${firstBlock + count - 1}::int) AS n`;
const countOf = (tokenAddress: string) => database.swap.count({ where: { tokenAddress } });

describe('The retention of trades', () => {
  it('removes final trades older than its period, in more batches than one, and keeps the last trade of each coin', async () => {
    await trades(coin('1'), 6_000, 410, 1);
    await trades(coin('1'), 10, 1, 10_001);
    await trades(coin('2'), 3, 500, 20_001);
    expect(await pruneSwaps(database, RETENTION_DAYS, NOT_ABORTED)).toBe(6_002);
    expect([await countOf(coin('1')), await countOf(coin('2'))]).toEqual([10, 1]);
    expect(await database.swap.findFirst({ where: { tokenAddress: coin('2') } })).toMatchObject({
      blockNumber: 20_003n,
    });
    expect(await pruneSwaps(database, RETENTION_DAYS, NOT_ABORTED)).toBe(0);
  });

  it('alone deletes final trades, and deletes none younger than 30 days', async () => {
    await expect(database.$executeRaw`DELETE FROM swaps WHERE token_address = ${coin('1')}`).rejects.toThrow(
      'rows of final blocks are written once',
    );
    expect(await countOf(coin('1'))).toBe(10);
  });
});
