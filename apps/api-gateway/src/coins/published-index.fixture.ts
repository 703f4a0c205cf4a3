import {
  canonicalSha256,
  type IndexSource,
  type LaunchRecord,
  type PublishedLaunch,
  type SourceStatus,
  type TokenMetadata,
} from '@launch/contracts';
import { createPool } from '@launch/platform';
import { createTestDatabase } from '@launch/testing';
import { PUBLISHED_ABIS } from './source-documents.js';
import { createIndexDatabase, type IndexDatabase } from './index-database.js';

export const word = (seed: number): `0x${string}` => `0x${seed.toString(16).padStart(64, '0')}`;
export const account = (seed: number): `0x${string}` => `0xaa${seed.toString(16).padStart(38, '0')}`;

export const NO_METADATA: TokenMetadata = {
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

/** A binding; its ABI is the one that this release publishes for its version, where it has one. */
export function sourceDocument(change: Partial<IndexSource> = {}): IndexSource {
  const sourceVersion = change.sourceVersion ?? 'custom-router-v1';
  const abi = PUBLISHED_ABIS.find((one) => one.sourceVersion === sourceVersion);
  return {
    schemaVersion: 'service.index-source.v1',
    sourceVersion,
    chainId: 4663,
    address: account(0xf00),
    runtimeCodeHash: word(0xc0de),
    startBlock: '50469365',
    endBlock: null,
    abiSha256: abi?.sha256 ?? `sha256:${'e'.repeat(64)}`,
    factoryVersion: null,
    contracts: { poolManager: { address: account(0xb00), runtimeCodeHash: word(0xb001) } },
    profile: 'development',
    sourceCommit: null,
    finalityPolicyId: 'chain-ethereum-finalized-v1',
    ...change,
  };
}

export interface SourceRow {
  readonly status?: SourceStatus;
  readonly state?: string;
  /** Seconds since the checkpoint was confirmed; null for a source without one. */
  readonly checkpointAge?: number | null;
  readonly checkpoint?: string;
}

export interface LaunchRow {
  readonly metadata?: TokenMetadata;
  readonly stage?: PublishedLaunch['finality_stage'];
}

export interface SwapPlace {
  readonly block: number;
  readonly logIndex: number;
  readonly hoursAgo: number;
  readonly caller: `0x${string}`;
  /** What a hook says that was paid, in wei. */
  readonly gross?: string;
}

export interface HoldPlace {
  readonly block: string;
  readonly transaction?: string;
  readonly subject?: 'launches' | 'trades';
  readonly cause?: 'operator' | 'index';
}

/** What an indexer wrote, by its own role; the gateway reads it by the reader's. */
export interface PublishedIndex {
  readonly database: IndexDatabase;
  /** Of the reader's role. */
  readonly readerUrl: string;
  /** Adds a binding, or changes the state of one that is there. @returns its release digest. */
  source(document: IndexSource, row?: SourceRow): Promise<`sha256:${string}`>;
  /** Adds a launch of a seed of its own by a source; finalized ones are admitted in the order of the calls. */
  launch(source: IndexSource, seed: number, change?: Partial<LaunchRecord>, row?: LaunchRow): Promise<LaunchRecord>;
  /** Adds many finalized launches at once. */
  launches(source: IndexSource, firstSeed: number, count: number): Promise<void>;
  /** Holds a block, or a transaction of it, or its trades alone. @returns what takes the hold away. */
  hold(source: IndexSource, place: HoldPlace): Promise<() => Promise<void>>;
  /** Adds a trade of a coin, so many hours ago: an ether for as many tokens, at a wei a unit. */
  swap(record: LaunchRecord, place: SwapPlace): Promise<void>;
  /** A statement by the indexer's role. */
  write(sql: string, values?: readonly unknown[]): Promise<void>;
  /** A statement by the reader's role. */
  read(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

const SOURCE = `INSERT INTO sources (release_digest, chain_id, address, source_version, document, status, state, checkpoint_number, checkpoint_hash, checkpoint_at, finalized_head)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8::bigint, $9, now() - $10::float8 * interval '1 second', $8::bigint)
  ON CONFLICT (release_digest) DO UPDATE SET status = excluded.status, state = excluded.state, checkpoint_number = excluded.checkpoint_number,
    checkpoint_hash = excluded.checkpoint_hash, checkpoint_at = excluded.checkpoint_at, finalized_head = excluded.finalized_head, updated_at = clock_timestamp(), progressed_at = clock_timestamp()`;
// As the indexer's transactions end.
const WRITTEN = 'UPDATE sources SET updated_at = clock_timestamp() WHERE release_digest = ANY($1)';
const LAUNCHES = `INSERT INTO launches (release_digest, sequence, finality_stage, chain_id, source_kind, factory_version, source_address, router_address, launch_id,
  launch_kind, token_address, creator, pool_manager, pool_id, hook_address, block_number, block_hash, transaction_hash, transaction_index, log_index,
  launched_at, name, symbol, verification_digest, evidence_sha256, record, metadata, admitted_at)
  SELECT r->>'sourceReleaseDigest', CASE WHEN $3 = 'ethereum_finalized' THEN (SELECT last FROM admission) + n END, $3, (r->>'chainId')::int, r->>'sourceKind',
    r->>'factoryVersion', r->>'sourceAddress', r->>'routerAddress', r->>'launchId', (r->>'launchKind')::int, r->>'tokenAddress', r->>'creator',
    r->>'poolManager', r->>'poolId', r->>'hookAddress', (r->>'blockNumber')::bigint, r->>'blockHash', r->>'transactionHash', 0, (r->>'logIndex')::int,
    (r->>'launchedAt')::timestamptz, left(name, 256), left(symbol, 256), r->>'verificationDigest', r->>'verificationDigest', r, $2::json,
    CASE WHEN $3 = 'ethereum_finalized' THEN now() END
  FROM unnest($1::json[], $4::text[], $5::text[]) WITH ORDINALITY AS given(r, name, symbol, n)`;

const HOLD = `INSERT INTO holds (release_digest, block_number, transaction_hash, subject, cause, reason, block_time)
  VALUES ($1, $2, $3, $4, $5, 'under review', now())`;
const UNHOLD = `DELETE FROM holds WHERE release_digest = $1 AND block_number = $2 AND transaction_hash = $3 AND subject = $4`;

const SWAP = `INSERT INTO swaps (release_digest, chain_id, token_address, pool_id, block_number, block_hash, block_time, transaction_hash, log_index, caller,
    gross_quote, amount0, amount1, sqrt_price_x96, liquidity, tick)
  VALUES ($1, $2, $3, $4, $5, $6, now() - $7::float8 * interval '1 hour', $8, $9, $10, $11::numeric, -1e18::numeric, 1e18::numeric, 2::numeric ^ 96, 7, -12)`;

/** U+0000 stands in no column of text. */
const searchable = (text: string | null): string | null => text?.replaceAll('\u0000', '\ufffd') ?? null;

export async function publishedIndex(): Promise<PublishedIndex> {
  const test = await createTestDatabase('indexer');
  if (test.readerUrl === undefined) throw new TypeError('the index has a reader');
  const pool = (connectionString: string) => createPool({ connectionString, applicationName: 'coins-tests', max: 4 });
  const { readerUrl } = test;
  const writer = pool(test.url);
  const reader = pool(readerUrl);

  const recordOf = (source: IndexSource, seed: number, change: Partial<LaunchRecord> = {}): LaunchRecord => ({
    chainId: source.chainId,
    sourceKind: source.sourceVersion as LaunchRecord['sourceKind'],
    factoryVersion: source.factoryVersion,
    sourceAddress: source.address,
    sourceReleaseDigest: canonicalSha256(source),
    launchId: word(seed),
    launchKind: 1,
    tokenAddress: account(seed),
    creator: account(0xccc),
    poolManager: account(0xb00),
    poolId: word(seed + 0x1_0000_0000),
    hookAddress: account(seed + 0x1_0000_0000),
    recipeHash: null,
    runtime: null,
    launchKey: null,
    modulePackageIds: [],
    moduleFamilyIds: [],
    transactionHash: word(seed + 0x2_0000_0000),
    blockNumber: String(50_469_365 + seed),
    blockHash: word(seed + 0x3_0000_0000),
    logIndex: 3,
    launchedAt: new Date(1_795_000_000_000 + seed * 1_000).toISOString(),
    name: `Coin ${seed}`,
    symbol: `C${seed}`,
    decimals: 18,
    verificationDigest: `sha256:${seed.toString(16).padStart(64, '0')}`,
    routerAddress: source.address,
    stampHash: word(seed + 0x4_0000_0000),
    ...change,
  });

  async function insert(records: readonly LaunchRecord[], { metadata = NO_METADATA, stage }: LaunchRow): Promise<void> {
    await writer.query(LAUNCHES, [
      records.map((record) => JSON.stringify(record)),
      JSON.stringify(metadata),
      stage ?? 'ethereum_finalized',
      records.map(({ name }) => searchable(name)),
      records.map(({ symbol }) => searchable(symbol)),
    ]);
    await writer.query('UPDATE admission SET last = last + $1', [records.length]);
    await writer.query(WRITTEN, [[...new Set(records.map((record) => record.sourceReleaseDigest))]]);
  }

  return {
    database: createIndexDatabase(reader),
    readerUrl,
    async source(
      document,
      { status = 'active', state = 'following', checkpointAge = 0, checkpoint = '50480000' } = {},
    ) {
      const digest = canonicalSha256(document);
      const { chainId, address, sourceVersion } = document;
      const number = checkpointAge === null ? null : checkpoint;
      const hash = checkpointAge === null ? null : word(1);
      const values = [digest, chainId, address, sourceVersion, document, status, state, number, hash, checkpointAge];
      await writer.query(SOURCE, values);
      return digest;
    },
    async launch(source, seed, change, row = {}) {
      const record = recordOf(source, seed, change);
      await insert([record], row);
      return record;
    },
    launches: (source, firstSeed, count) =>
      insert(
        Array.from({ length: count }, (_, index) => recordOf(source, firstSeed + index)),
        {},
      ),
    async hold(source, { block, transaction = '', subject = 'launches', cause = 'operator' }) {
      const key = [canonicalSha256(source), block, transaction, subject];
      await writer.query(HOLD, [...key, cause]);
      await writer.query(WRITTEN, [[key[0]]]);
      return async () => {
        await writer.query(UNHOLD, key);
        await writer.query(WRITTEN, [[key[0]]]);
      };
    },
    async swap(record, { block, logIndex, hoursAgo, caller, gross }) {
      const { sourceReleaseDigest, chainId, tokenAddress, poolId } = record;
      const place = [block, word(block), hoursAgo, word(block * 1_000 + logIndex), logIndex];
      await writer.query(SWAP, [sourceReleaseDigest, chainId, tokenAddress, poolId, ...place, caller, gross ?? null]);
    },
    write: async (sql, values = []) => void (await writer.query(sql, [...values])),
    read: (sql) => reader.query(sql),
    async close() {
      await reader.end();
      await writer.end();
      await test.drop();
    },
  };
}
