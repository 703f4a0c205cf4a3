import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Printed } from '@launch/client-core/command';
import { startTemporaryPostgres, withClient, type PostgresServer } from '@launch/postgres-server';
import { hostOf } from '../host.fixture.js';
import { runDeploy } from '../deploy.cli.js';

const root = path.resolve(import.meta.dirname, '../../../..');
const run = promisify(execFile);
const made: string[] = [];
const makeSecrets = (at: string): Promise<Printed> =>
  runDeploy(['make-secrets', '--folder', at], hostOf({ progress: (line) => made.push(line) }));
/** Whose password file migrates which service's database, where. */
const MIGRATIONS = [
  ['gateway', 'api-gateway', 'postgres'],
  ['admission', 'admission', 'postgres'],
  ['finality', 'finality', 'postgres'],
  ['module-review', 'module-review', 'postgres'],
  ['indexer', 'indexer', 'postgres'],
  ['custody-owner', 'custody', 'custody-postgres'],
] as const;

// Repeats the first start of a deployment without its containers. The secrets are made; PostgreSQL runs the role
// scripts among them, and the migration program of the image enters with the password file alone.
let server: PostgresServer;
let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'launch-deploy-'));
  expect(await makeSecrets(path.join(folder, 'secrets'))).toMatchObject({ exitCode: 0 });
  program = path.join(folder, 'deploy.cjs');
  await run(createRequire(import.meta.url).resolve('esbuild/bin/esbuild'), [
    path.join(root, 'tools/prisma/src/deploy.cli.ts'),
    '--bundle',
    '--platform=node',
    '--target=node24',
    '--format=cjs',
    '--external:pg-native',
    '--external:pg-cloudflare',
    `--outfile=${program}`,
  ]);
  server = await startTemporaryPostgres();
  for (const script of ['postgres-roles.sql', 'custody-postgres-roles.sql']) {
    // One statement at a time, as psql sends a script: CREATE DATABASE takes no transaction.
    const parts = (await readFile(path.join(folder, 'secrets', script), 'utf8')).split(/^\\connect /m);
    for (const [index, part] of parts.entries()) {
      const [first, ...rest] = part.split('\n');
      const url = new URL(server.adminUrl());
      if (index > 0) url.pathname = `/${first}`;
      await withClient(url.href, async (client) => {
        for (const statement of index > 0 ? rest : [first as string, ...rest])
          if (statement !== '') await client.query(statement);
      });
    }
  }
});
afterAll(async () => {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const roleOf = (holder: string): string => `launch_${holder.replace('-', '_')}`;
const databaseOf = (holder: string): string => roleOf(holder.replace('-owner', ''));
const databaseUrl = (holder: string): string =>
  `postgresql://${roleOf(holder)}@127.0.0.1:${new URL(server.adminUrl()).port}/${databaseOf(holder)}`;

/** The holder's password file, with the test server's address in place of the container's. */
async function passwordFile(holder: string, host: string): Promise<string> {
  const line = await readFile(path.join(folder, 'secrets', `${holder}.pgpass`), 'utf8');
  expect(line.startsWith(`${host}:5432:${databaseOf(holder)}:${roleOf(holder)}:`)).toBe(true);
  const file = path.join(folder, `${holder}.pgpass`);
  await writeFile(file, line.replace(`${host}:5432`, `127.0.0.1:${new URL(server.adminUrl()).port}`), { mode: 0o600 });
  return file;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
const migrate = (service: string, name: string, pgpass: string): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl(service), PGPASSFILE: pgpass };
    execFile(
      process.execPath,
      [program, path.join(root, 'prisma', name, 'migrations')],
      { env },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr }),
    );
  });

describe.each(MIGRATIONS)('%s', (service, name, host) => {
  it('migrates its own database with its password file, and finds nothing to do the next time', async () => {
    const pgpass = await passwordFile(service, host);
    const migrations = (await readdir(path.join(root, 'prisma', name, 'migrations'), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const first = await migrate(service, name, pgpass);
    expect({ code: first.code, out: first.stdout && JSON.parse(first.stdout) }).toEqual({
      code: 0,
      out: { msg: 'migrated', applied: migrations.sort() },
    });
    const second = await migrate(service, name, pgpass);
    expect(JSON.parse(second.stdout)).toEqual({ msg: 'migrated', applied: [] });
  });

  it('is rejected with a password file that others may read', async () => {
    const pgpass = await passwordFile(service, host);
    await chmod(pgpass, 0o644);
    const refused = await migrate(service, name, pgpass);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('password') });
  });
});

it('The migration program takes the URL with its password from a file', async () => {
  const [password] = (await readFile(path.join(folder, 'secrets/gateway.pgpass'), 'utf8')).trim().split(':').slice(4);
  const url = new URL(databaseUrl('gateway'));
  url.password = password as string;
  const file = path.join(folder, 'gateway-url');
  await writeFile(file, `${url.href}\n`);
  const migrations = path.join(root, 'prisma/api-gateway/migrations');
  const { stdout } = await run(process.execPath, [program, migrations], { env: { DATABASE_URL_FILE: file } });
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'migrated' });
});

it('No service enters the database of another', async () => {
  const password = (await readFile(path.join(folder, 'secrets/gateway.pgpass'), 'utf8')).trim().split(':')[4];
  for (const database of [
    'launch_custody',
    'launch_admission',
    'launch_indexer',
    'temporal',
    'postgres',
    'template1',
  ]) {
    const url = new URL(server.adminUrl());
    Object.assign(url, { username: 'launch_gateway', password, pathname: `/${database}` });
    await expect(withClient(url.href, (client) => client.query('SELECT 1'))).rejects.toMatchObject({ code: '42501' });
  }
});

it('The role of custody may insert and read, but neither change nor remove its decisions, nor grant itself the right', async () => {
  const password = (await readFile(path.join(folder, 'secrets/custody.pgpass'), 'utf8')).trim().split(':')[4];
  const url = new URL(server.adminUrl());
  Object.assign(url, { username: 'launch_custody', password, pathname: '/launch_custody' });
  const rights = `SELECT bool_and(has_table_privilege(name, 'SELECT') AND has_table_privilege(name, 'INSERT')) AS enough FROM unnest(ARRAY['decision', 'permit_signature']) AS name`;
  expect(await withClient(url.href, async (client) => (await client.query(rights)).rows)).toEqual([{ enough: true }]);
  // No error to PostgreSQL, and no effect: only an owner can give.
  await withClient(url.href, (client) =>
    client.query('GRANT UPDATE, DELETE, TRUNCATE ON decision, permit_signature TO launch_custody'),
  );
  const lifts = [
    'ALTER TABLE decision DISABLE TRIGGER ALL',
    'DROP TABLE permit_signature',
    'CREATE TABLE elsewhere ()',
    'ALTER TABLE decision OWNER TO launch_custody',
    'SET ROLE launch_custody_owner',
  ];
  for (const statement of [
    'UPDATE decision SET kind = kind',
    'DELETE FROM permit_signature',
    'TRUNCATE decision',
    ...lifts,
  ]) {
    await expect(withClient(url.href, (client) => client.query(statement))).rejects.toMatchObject({ code: '42501' });
  }
});

it('The review console’s role reads submissions, reviews and keys, counts quotas, and changes and reads nothing else', async () => {
  const [, , , , password] = (await readFile(path.join(folder, 'secrets/review-console.pgpass'), 'utf8'))
    .trim()
    .split(':');
  const url = new URL(server.adminUrl());
  Object.assign(url, { username: 'launch_review_console', password, pathname: '/launch_gateway' });
  await withClient(url.href, async (client) => {
    for (const table of ['credential', 'module_submission', 'module_review', 'module_review_readiness'])
      expect((await client.query(`SELECT * FROM ${table}`)).rows).toEqual([]);
    const count = `INSERT INTO rate_bucket AS held (bucket, arrival_at) VALUES ('spec', now())
      ON CONFLICT (bucket) DO UPDATE SET arrival_at = held.arrival_at RETURNING held.bucket`;
    for (const time of [1, 2]) expect([time, (await client.query(count)).rows]).toEqual([time, [{ bucket: 'spec' }]]);
    for (const refused of [
      'SELECT * FROM launch',
      'SELECT * FROM idempotency_record',
      'UPDATE credential SET scopes = scopes',
      'DELETE FROM credential',
      'UPDATE module_review SET state = state',
      'DELETE FROM rate_bucket',
      'CREATE TABLE elsewhere ()',
      'SET ROLE launch_gateway',
    ])
      await expect(client.query(refused)).rejects.toMatchObject({ code: '42501' });
  });
  Object.assign(url, { pathname: '/launch_admission' });
  await expect(withClient(url.href, (client) => client.query('SELECT 1'))).rejects.toMatchObject({ code: '42501' });
});

it('The reader of the index may enter its database with the URL of its secret, and read only published rows', async () => {
  const url = new URL((await readFile(path.join(folder, 'secrets/index-database-url'), 'utf8')).trim());
  expect(url.host).toBe('postgres:5432');
  url.host = `127.0.0.1:${new URL(server.adminUrl()).port}`;
  await withClient(url.href, async (client) => {
    for (const view of ['launch', 'source', 'quarantine'])
      expect((await client.query(`SELECT * FROM published.${view}`)).rows).toEqual([]);
    await expect(client.query('SELECT * FROM launches')).rejects.toMatchObject({ code: '42501' });
  });
});

it.each(MIGRATIONS.map(([holder]) => holder.replace('-owner', '')))(
  'The collection of blobs reads every table of %s with the URL of its secret, and changes nothing',
  async (service) => {
    const url = new URL((await readFile(path.join(folder, 'secrets', `collector-${service}-url`), 'utf8')).trim());
    expect(url.host).toBe(service === 'custody' ? 'custody-postgres:5432' : 'postgres:5432');
    url.host = `127.0.0.1:${new URL(server.adminUrl()).port}`;
    await withClient(url.href, async (client) => {
      const { rows } = await client.query<{ table: string; may: boolean; must: boolean }>(
        `SELECT relname AS table, has_table_privilege(oid, 'SELECT') AS must, has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS may
         FROM pg_class WHERE relkind = 'r' AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
      );
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.filter(({ may, must }) => may || !must)).toEqual([]);
      await expect(client.query('CREATE TABLE elsewhere ()')).rejects.toMatchObject({ code: '42501' });
    });
    Object.assign(url, { pathname: '/temporal' });
    await expect(withClient(url.href, (client) => client.query('SELECT 1'))).rejects.toMatchObject({ code: '42501' });
  },
);

it('Generating the secrets again changes none of them', async () => {
  const secrets = path.join(folder, 'secrets');
  const contents = async () =>
    Promise.all(
      (await readdir(secrets)).sort().map(async (name) => [name, await readFile(path.join(secrets, name), 'utf8')]),
    );
  await writeFile(path.join(secrets, 'rpc-1-urls'), 'alpha=https://one.example,beta=https://two.example\n');
  const before = await contents();
  const first = made.length;
  const { stdout } = await makeSecrets(secrets);
  expect(first).toBeGreaterThan(20);
  expect(made).toHaveLength(first);
  expect(await contents()).toEqual(before);
  expect(stdout).toContain('missing rpc-4663-urls');
  expect(stdout).not.toContain('missing rpc-1-urls');
  for (const [name] of before)
    expect((await stat(path.join(secrets, name as string))).mode & 0o777).toBe(
      /-public-key\.pem$/.test(name as string) ? 0o444 : 0o400,
    );
});
