import { Client } from 'pg';
import type { BenchStack } from '../stack/bench-stack.js';

/** Rows are written in transactions of this many. */
const BATCH = 100_000;
// Times in the future, so that no source becomes stale while it is asked about.
const HOLD_STILL = `UPDATE sources SET state = 'following', state_reason = NULL, checkpoint_number = coalesce(checkpoint_number, (document->>'startBlock')::bigint),
  checkpoint_hash = coalesce(checkpoint_hash, '0x' || repeat('1', 64)), checkpoint_at = now() + interval '1 day',
  finalized_head = coalesce(finalized_head, (document->>'startBlock')::bigint)`;
const SOURCE = `SELECT release_digest FROM sources WHERE source_version <> 'ethereum-custom-v1' ORDER BY chain_id DESC, release_digest LIMIT 1`;
/** Inserts launches with the sizes and columns of a router's launches. Their contracts are on no chain. */
const FILL = `
  WITH source AS (SELECT * FROM sources WHERE release_digest = $1), made AS (
    SELECT n, n + (SELECT last FROM admission) - $2::bigint + 1 AS sequence, s.release_digest, s.chain_id, s.source_version, s.address, s.document->>'factoryVersion' AS factory_version,
      '0x' || md5('k' || n) || md5('launch' || n) AS launch_id, '0xaa' || left(md5('t' || n), 32) || lpad(to_hex(n % 16777216), 6, '0') AS token,
      '0xcc' || left(md5('c' || n % 50000), 32) || '000000' AS creator, '0xb0' || repeat('0', 38) AS manager, '0x' || md5('p' || n) || md5('pool' || n) AS pool_id,
      '0xdd' || left(md5('h' || n), 32) || '000000' AS hook, 1000000000 + n AS block_number, '0x' || md5('b' || n) || md5('block' || n) AS block_hash,
      '0x' || md5('x' || n) || md5('transaction' || n) AS transaction_hash, timestamptz '2026-01-01' + n * interval '1 second' AS launched_at,
      'Coin ' || md5('n' || n) AS name, upper(left(md5('s' || n), 5)) AS symbol, 'sha256:' || md5('v' || n) || md5('verified' || n) AS digest
    FROM generate_series($2::bigint, $3::bigint) AS n, source s
  )
  INSERT INTO launches (release_digest, sequence, finality_stage, chain_id, source_kind, factory_version, source_address, router_address, launch_id, launch_kind,
    token_address, creator, pool_manager, pool_id, hook_address, block_number, block_hash, transaction_hash, transaction_index, log_index, launched_at, name, symbol,
    verification_digest, evidence_sha256, record, metadata, admitted_at)
  SELECT release_digest, sequence, 'ethereum_finalized', chain_id, source_version, factory_version, address, address, launch_id, 1, token, creator, manager, pool_id, hook,
    block_number, block_hash, transaction_hash, 0, 3, launched_at, name, symbol, digest, digest,
    json_build_object('chainId', chain_id, 'sourceKind', source_version, 'factoryVersion', factory_version, 'sourceAddress', address, 'sourceReleaseDigest', release_digest,
      'launchId', launch_id, 'launchKind', 1, 'tokenAddress', token, 'creator', creator, 'poolManager', manager, 'poolId', pool_id, 'hookAddress', hook, 'recipeHash', null,
      'runtime', null, 'launchKey', null, 'modulePackageIds', '[]'::json, 'moduleFamilyIds', '[]'::json, 'transactionHash', transaction_hash,
      'blockNumber', block_number::text, 'blockHash', block_hash, 'logIndex', 3, 'launchedAt', to_char(launched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'name', name, 'symbol', symbol, 'decimals', 18, 'verificationDigest', digest, 'routerAddress', address, 'stampHash', launch_id),
    json_build_object('status', 'absent', 'description', null, 'website', null, 'imageUrl', null, 'x', null, 'telegram', null, 'discord', null, 'github', null, 'gitbook', null),
    now()
  FROM made`;

/** Holds the index still: its indexer rests until the end of the stack, and every source reports that it follows. */
export async function holdIndex(stack: BenchStack): Promise<void> {
  await stack.running.services.kill('indexer', 'SIGTERM', { hold: true });
  await byIndexer(stack, async (client) => void (await client.query(HOLD_STILL)));
}

/** At least `count` finalized launches, written straight into the tables. */
export async function fillIndex(stack: BenchStack, count: number): Promise<void> {
  await byIndexer(stack, async (client) => {
    const { rows } = await client.query<{ release_digest: string }>(SOURCE);
    const [source] = rows;
    if (source === undefined) throw new Error('the index has no source');
    const counted = await client.query<{ launches: number }>(
      'SELECT count(*)::int AS launches FROM launches WHERE sequence IS NOT NULL',
    );
    let next = counted.rows[0]!.launches + 1;
    while (next <= count) {
      const last = Math.min(next + BATCH - 1, count);
      await client.query('BEGIN');
      await client.query(FILL, [source.release_digest, next, last]);
      await client.query('UPDATE admission SET last = last + $1', [last - next + 1]);
      await client.query('COMMIT');
      next = last + 1;
    }
    await client.query('UPDATE sources SET updated_at = clock_timestamp()');
    await client.query('ANALYZE launches');
  });
}

async function byIndexer(stack: BenchStack, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: await stack.indexDatabaseUrl('launch_indexer') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
