import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  publishedLaunchSchema,
  publishedQuarantineSchema,
  publishedSourceSchema,
  type IndexSource,
  type LaunchRecord,
  type TokenMetadata,
} from '@launch/contracts/index';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import pg from 'pg';

let database: TestDatabase;
let service: pg.Pool;
let reader: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase('indexer');
  service = new pg.Pool({ connectionString: database.url, max: 2 });
  reader = new pg.Pool({ connectionString: database.readerUrl, max: 1 });
});
afterAll(async () => {
  await service?.end();
  await reader?.end();
  await database?.drop();
});

const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const SOURCE: IndexSource = {
  schemaVersion: 'service.index-source.v1',
  sourceVersion: 'custom-router-v1',
  chainId: 4663,
  address: account('a'),
  runtimeCodeHash: word('b'),
  startBlock: '50469365',
  endBlock: null,
  abiSha256: `sha256:${'c'.repeat(64)}`,
  factoryVersion: null,
  contracts: {},
  profile: 'development',
  sourceCommit: 'c'.repeat(40),
  finalityPolicyId: 'chain-ethereum-finalized-v1',
};
const DIGEST = canonicalSha256(SOURCE);
const METADATA: TokenMetadata = {
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
const RECORD: LaunchRecord = {
  chainId: 4663,
  sourceKind: 'custom-router-v1',
  factoryVersion: null,
  sourceAddress: account('a'),
  sourceReleaseDigest: DIGEST,
  launchId: word('1'),
  launchKind: 1,
  tokenAddress: account('1'),
  creator: account('2'),
  poolManager: account('3'),
  poolId: word('4'),
  hookAddress: account('5'),
  recipeHash: null,
  runtime: null,
  launchKey: null,
  modulePackageIds: [],
  moduleFamilyIds: [],
  transactionHash: word('6'),
  blockNumber: '50469400',
  blockHash: word('7'),
  logIndex: 3,
  launchedAt: '2026-11-23T08:00:00.000Z',
  // No column of PostgreSQL takes this character, except in a document of the type `json`.
  name: 'evil\u0000<script>',
  symbol: 'E',
  decimals: 18,
  verificationDigest: `sha256:${'8'.repeat(64)}`,
  routerAddress: account('a'),
  stampHash: word('9'),
};

const INSERT_LAUNCH = `INSERT INTO launches (release_digest, sequence, finality_stage, chain_id, source_kind, source_address, launch_id, token_address,
  creator, pool_manager, pool_id, hook_address, block_number, block_hash, transaction_hash, transaction_index, log_index, launched_at, name, symbol,
  verification_digest, evidence_sha256, record, metadata, admitted_at)
  VALUES ($1, $2, $3, 4663, 'custom-router-v1', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, $14, $15, 'evil', 'E', $16, $16, $17, $18, $19)`;
const launchValues = (record: LaunchRecord, sequence: number | null): unknown[] => [
  DIGEST,
  sequence,
  sequence === null ? 'ethereum_posted' : 'ethereum_finalized',
  record.sourceAddress,
  record.launchId,
  record.tokenAddress,
  record.creator,
  record.poolManager,
  record.poolId,
  record.hookAddress,
  record.blockNumber,
  record.blockHash,
  record.transactionHash,
  record.logIndex,
  record.launchedAt,
  record.verificationDigest,
  JSON.stringify(record),
  JSON.stringify(METADATA),
  sequence === null ? null : new Date(),
];

const refused = (query: Promise<unknown>, code: string) => expect(query).rejects.toMatchObject({ code });

describe('The database of an indexer', () => {
  it('publishes sources, launches and quarantined logs in the form of their schemas', async () => {
    await service.query(
      `INSERT INTO sources (release_digest, chain_id, address, source_version, document, status, checkpoint_number, checkpoint_hash, checkpoint_at)
       VALUES ($1, 4663, $2, 'custom-router-v1', $3, 'active', 50469400, $4, now())`,
      [DIGEST, SOURCE.address, SOURCE, word('7')],
    );
    await service.query(INSERT_LAUNCH, launchValues(RECORD, 1));
    const key = [DIGEST, word('7'), word('6'), 9];
    await service.query(
      `INSERT INTO quarantine (release_digest, block_hash, transaction_hash, log_index, chain_id, block_number, transaction_index, raw_log, finalized)
       VALUES ($1, $2, $3, $4, 4663, 50469400, 0, '{}', true)`,
      key,
    );
    const judge = (ordinal: number, outcome: string, reason: string | null) =>
      service.query(`INSERT INTO quarantine_judgements VALUES ($1, $2, $3, $4, $5, $6, $7, 'why')`, [
        ...key,
        ordinal,
        outcome,
        reason,
      ]);
    await judge(0, 'fail', 'STAMP_MISMATCH');
    const quarantined = async () => (await reader.query('SELECT * FROM published.quarantine')).rows;

    const launches = (await reader.query('SELECT * FROM published.launch')).rows;
    expect(publishedLaunchSchema.parse(launches[0])).toMatchObject({
      sequence: '1',
      record: RECORD,
      metadata: METADATA,
    });
    const sources = (await reader.query('SELECT * FROM published.source')).rows;
    expect(publishedSourceSchema.parse(sources[0])).toMatchObject({ release_digest: DIGEST, document: SOURCE });
    const open = { reason: 'STAMP_MISMATCH', dismissed_reason: null };
    expect(publishedQuarantineSchema.parse((await quarantined())[0])).toMatchObject(open);
    await judge(1, 'dismissed', null);
    expect((await quarantined())[0]).toMatchObject({ ...open, dismissed_reason: 'why' });
    await judge(2, 'pass', null);
    expect(await quarantined()).toEqual([]);
  });

  it('keeps final rows, judgements and bindings unchanged, and one row of every identity', async () => {
    const stays = '23000';
    await refused(service.query(`UPDATE launches SET creator = $1 WHERE sequence = 1`, [account('f')]), stays);
    await refused(service.query('DELETE FROM launches'), stays);
    await refused(service.query('TRUNCATE launches'), stays);
    await refused(service.query('DELETE FROM quarantine'), stays);
    await refused(service.query(`UPDATE quarantine_judgements SET outcome = 'pass'`), stays);
    await refused(service.query(`UPDATE sources SET document = '{}'`), stays);
    await refused(service.query('DELETE FROM sources'), stays);
    await expect(service.query(`UPDATE sources SET status = 'disabled'`)).resolves.toMatchObject({ rowCount: 1 });

    const other: LaunchRecord = {
      ...RECORD,
      tokenAddress: account('e'),
      poolId: word('e'),
      launchId: word('e'),
      logIndex: 4,
    };
    const same = ['tokenAddress', 'poolId', 'launchId', 'logIndex'] as const;
    for (const member of same)
      await refused(service.query(INSERT_LAUNCH, launchValues({ ...other, [member]: RECORD[member] }, null)), '23505');
    await refused(
      service.query(INSERT_LAUNCH.replace('$19', 'now()'), launchValues(other, null).slice(0, 18)),
      '23514',
    );
    await service.query(INSERT_LAUNCH, launchValues(other, null));
    await expect(service.query('DELETE FROM launches WHERE sequence IS NULL')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('lets its reader read the published views, and neither read nor write anything else', async () => {
    const { rows: tables } = await service.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const { rows: views } = await service.query<{ name: string; columns: string[] }>(
      `SELECT format('%I.%I', c.table_schema, c.table_name) AS name, array_agg(quote_ident(c.column_name)::text) AS columns
         FROM information_schema.columns c WHERE c.table_schema = 'published' GROUP BY 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['public.launches', 'public.sources']));
    expect(views).toHaveLength(6);
    for (const { name } of tables) await refused(reader.query(`SELECT 1 FROM ${name}`), '42501');
    const writes = ({ name, column }: { name: string; column: string }) => [
      `DELETE FROM ${name}`,
      `INSERT INTO ${name} DEFAULT VALUES`,
      `UPDATE ${name} SET ${column} = NULL`,
      `TRUNCATE ${name}`,
    ];
    for (const { name } of tables) {
      for (const statement of [...writes({ name, column: 'release_digest' }), `DROP TABLE ${name}`])
        await expect(reader.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|42703)$/) });
    }
    for (const { name, columns } of views) {
      // A view of several tables refuses every write; a view of one table accepts its owner's, and cannot be truncated.
      for (const statement of [...writes({ name, column: columns[0] as string }), `DROP VIEW ${name}`])
        await expect(reader.query(statement)).rejects.toMatchObject({
          code: expect.stringMatching(/^(42501|55000|42809)$/),
        });
    }
    const { rows: held } = await service.query(
      `SELECT DISTINCT table_schema, privilege_type FROM information_schema.table_privileges WHERE grantee = 'launch_indexer_reader'`,
    );
    expect(held).toEqual([{ table_schema: 'published', privilege_type: 'SELECT' }]);
    const makes = [
      'CREATE TABLE mine ()',
      'CREATE TABLE published.mine ()',
      'CREATE SCHEMA mine',
      'CREATE TEMPORARY TABLE mine ()',
    ];
    const takes = [
      'SET ROLE launch_indexer',
      'ALTER VIEW published.launch OWNER TO CURRENT_USER',
      'COPY launches TO STDOUT',
    ];
    for (const statement of [...makes, ...takes]) await refused(reader.query(statement), '42501');
    for (const { name } of views)
      await expect(reader.query(`SELECT * FROM ${name}`)).resolves.toMatchObject({ command: 'SELECT' });
  });
});
