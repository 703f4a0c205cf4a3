import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExploreSort } from '@launch/contracts/index';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';
import { CoinListRepository, type CoinFilter, type CoinPage } from '../data/coin-list.repository.js';
import { LISTED_MAX, SCANNED_MAX } from '../data/coin-list.sql.js';
import type { IndexDatabase } from '../data/index-database.js';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, sourceDocument } from '../../../fixtures/published-rows.js';

const COINS = 60_000;
const AT_ONCE = 10_000;
/** The name of one coin; a few others are module coins, and the rest belong to one wallet. */
const RARE = 'Zephyrquux';
const MODULES = 40;
const TAKES_MS = 300_000;

const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf01) });
const CUSTOM = sourceDocument();

// Numbers become names of 16 letters by their hash: no two are alike, and each trigram is in some of them.
const MANY = `INSERT INTO launches (release_digest, sequence, finality_stage, chain_id, source_kind, source_address, launch_id, launch_kind, token_address,
    creator, pool_manager, pool_id, hook_address, block_number, block_hash, transaction_hash, transaction_index, log_index, launched_at, name, symbol,
    verification_digest, evidence_sha256, record, metadata, admitted_at)
  SELECT CASE WHEN n <= $3 THEN $1 ELSE $2 END, n, 'ethereum_finalized', 4663, CASE WHEN n <= $3 THEN 'module-native-v1' ELSE 'custom-router-v1' END,
    $4, '0x' || lpad(to_hex(n), 64, '0'), CASE WHEN n <= $3 THEN NULL ELSE 1 END, '0xaa' || lpad(to_hex(n), 38, '0'), '0xcc' || lpad('0', 38, '0'), $4,
    '0x' || lpad(to_hex(n + 4294967296), 64, '0'), $4, n, '0x' || lpad(to_hex(n), 64, '0'), '0x' || lpad(to_hex(n), 64, '0'), 0, 0,
    timestamptz '2026-01-01' + n * interval '1 second', CASE WHEN n = 7 THEN $5 ELSE 'moon ' || translate(md5(n::text), '0123456789abcdef', 'ghijklmnopqrstuv') END,
    translate(left(md5(n::text), 4), '0123456789abcdef', 'ghijklmnopqrstuv'), 'sha256:' || lpad('0', 64, '0'), 'sha256:' || lpad('0', 64, '0'), $6::json, $7::json, now()
  FROM generate_series($8::int, $9::int) AS n`;

let index: PublishedIndex;
let lists: CoinListRepository;
/** Number of blocks of 8 KiB that the statements of a list touched. */
let touched = 0;

beforeAll(async () => {
  index = await publishedIndex();
  const [native, custom] = [await index.source(NATIVE), await index.source(CUSTOM)];
  const seed = await index.launch(CUSTOM, 0x7fff_0000);
  expect([native, custom]).toEqual([canonicalSha256(NATIVE), canonicalSha256(CUSTOM)]);
  const metadata = {
    status: 'absent',
    description: null,
    website: null,
    imageUrl: null,
    x: null,
    telegram: null,
    discord: null,
    github: null,
    gitbook: null,
  };
  await index.write('UPDATE admission SET last = last + $1', [COINS + 1]);
  await index.write('ALTER TABLE launches DISABLE TRIGGER USER');
  await index.write('DELETE FROM launches');
  // Building it at once is far faster than row by row.
  const { rows } = (await index.read(
    `SELECT indexdef FROM pg_indexes WHERE indexname = 'launches_name_symbol_trigrams'`,
  )) as { readonly rows: readonly { readonly indexdef: string }[] };
  await index.write('DROP INDEX launches_name_symbol_trigrams');
  const rest = [account(0xf00), RARE, JSON.stringify(seed), JSON.stringify(metadata)];
  for (let from = 1; from <= COINS; from += AT_ONCE)
    await index.write(MANY, [native, custom, MODULES, ...rest, from, from + AT_ONCE - 1]);
  await index.write(rows[0]?.indexdef ?? '');
  await index.write('VACUUM ANALYZE launches');
  const database: IndexDatabase = {
    async query(list, values = []) {
      const explain = statement({
        name: `explain-${list.name}`,
        row: z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.record(z.string(), z.unknown()) })]) }),
        text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${list.text}`,
      });
      const [explained] = await index.database.query(explain, values);
      const plan = explained!['QUERY PLAN'][0].Plan;
      touched += Number(plan['Shared Hit Blocks'] ?? 0) + Number(plan['Shared Read Blocks'] ?? 0);
      return index.database.query(list, values);
    },
  };
  lists = new CoinListRepository(database);
}, TAKES_MS);
afterAll(() => index?.close());

const EVERY: CoinFilter = { mode: 'all', text: null, token: null, creator: null };
const cost = async (
  filter: Partial<CoinFilter>,
  sort: ExploreSort,
  page = 1,
): Promise<CoinPage & { readonly blocks: number }> => {
  touched = 0;
  const found = await lists.page({ ...EVERY, ...filter }, sort, 50, (page - 1) * 50);
  return { ...found, blocks: touched };
};

describe('A list of many coins', () => {
  it.each<[string, Partial<CoinFilter>, ExploreSort, number, { total: number; rows: number; blocks: number }]>([
    ['the newest', {}, 'newest', 1, { total: LISTED_MAX, rows: 50, blocks: 2_000 }],
    ['the last page of the newest', {}, 'newest', 200, { total: LISTED_MAX, rows: 50, blocks: 2_000 }],
    ['past the last page', {}, 'newest', 99_999, { total: LISTED_MAX, rows: 0, blocks: 2_000 }],
    ['the oldest', {}, 'oldest', 200, { total: LISTED_MAX, rows: 50, blocks: 2_000 }],
    ['by name', {}, 'name', 1, { total: LISTED_MAX, rows: 50, blocks: 2_000 }],
    ['by name, the last page', {}, 'name', 200, { total: LISTED_MAX, rows: 50, blocks: 2 * LISTED_MAX }],
    ['the few of modules', { mode: 'module' }, 'newest', 1, { total: MODULES, rows: MODULES, blocks: 1_000 }],
    ['the few of modules, by name', { mode: 'module' }, 'name', 1, { total: MODULES, rows: MODULES, blocks: 1_000 }],
    ['those of Custom', { mode: 'custom' }, 'newest', 200, { total: LISTED_MAX, rows: 50, blocks: 2_000 }],
    [
      'a wallet with nearly all of them',
      { creator: `0xcc${'0'.repeat(38)}` },
      'newest',
      200,
      { total: LISTED_MAX, rows: 50, blocks: 2_000 },
    ],
    ['a wallet without any', { creator: account(0x9999) }, 'newest', 1, { total: 0, rows: 0, blocks: 100 }],
    ['an address', { token: account(7) }, 'newest', 1, { total: 1, rows: 1, blocks: 100 }],
    [
      'a text that one coin has',
      { text: RARE.slice(2, 8).toUpperCase() },
      'newest',
      1,
      { total: 1, rows: 1, blocks: 2_000 },
    ],
    ['a text that no coin has', { text: 'qqqqqqqqqqqq' }, 'newest', 1, { total: 0, rows: 0, blocks: 2_000 }],
    [
      'a text that no module has',
      { text: 'moon qqq', mode: 'module' },
      'name',
      1,
      { total: 0, rows: 0, blocks: 4_000 },
    ],
    [
      'a text that nearly all have',
      { text: 'moon' },
      'newest',
      200,
      { total: LISTED_MAX, rows: 50, blocks: 6 * LISTED_MAX },
    ],
    ['a text of one letter that none has', { text: 'z' }, 'oldest', 1, { total: 1, rows: 1, blocks: 3 * SCANNED_MAX }],
    ['a text without a trigram', { text: '---' }, 'newest', 1, { total: 0, rows: 0, blocks: 3 * SCANNED_MAX }],
    [
      'a text of another script',
      { text: '\u{1F680}\u{1F680}\u{1F680}' },
      'name',
      1,
      { total: 0, rows: 0, blocks: 3 * SCANNED_MAX },
    ],
  ])(
    'shows %s at a bounded cost',
    async (_name, filter, sort, page, expected) => {
      const { total, rows, blocks } = await cost(filter, sort, page);
      expect([total, rows.length]).toEqual([expected.total, expected.rows]);
      expect(blocks).toBeLessThan(expected.blocks);
    },
    60_000,
  );
});
