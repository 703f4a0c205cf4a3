import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@launch/platform';
import { withClient } from '@launch/postgres-server';
import { createDeployedDatabases, type DeployedDatabases } from '../fixtures/deployed-databases.fixture.js';
import { referencingColumns } from './columns.js';
import { DATABASE_NAMES, type DatabaseName } from './databases.js';
import { openReferences } from './read-references.js';

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

let databases: DeployedDatabases;
beforeAll(async () => {
  databases = await createDeployedDatabases();
}, 300_000);
afterAll(() => databases?.drop());

async function found(name: DatabaseName, url = databases.of[name].url): Promise<string[]> {
  const source = await openReferences(name, new Secret(url));
  try {
    const all: string[] = [];
    for await (const one of source.references()) all.push(one);
    return all;
  } finally {
    await source.close();
  }
}

/** Runs statements as the superuser and reverts them afterwards. */
async function changed(name: DatabaseName, up: string, down: string, test: () => Promise<void>): Promise<void> {
  const { adminUrl } = databases.of[name];
  await withClient(adminUrl, (client) => client.query(up));
  try {
    await test();
  } finally {
    await withClient(adminUrl, (client) => client.query(down));
  }
}

describe.each(DATABASE_NAMES)('In the database %s', (name) => {
  it('every column that Prisma declares for digests is read.', async () => {
    const { adminUrl } = databases.of[name];
    await withClient(adminUrl, async (client) => {
      const read = (await referencingColumns(name, client)).map(({ table, column }) => `${table}.${column}`);
      const { rows } = await client.query<{ place: string }>(
        `SELECT table_name || '.' || column_name AS place FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
         WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'
           AND (data_type IN ('text', 'character', 'character varying', 'json', 'jsonb') OR udt_name = '_text')`,
      );
      expect(rows.length).toBeGreaterThan(3);
      expect(rows.map(({ place }) => place).filter((place) => !read.includes(place))).toEqual([]);
    });
  });

  it('a column that a migration adds is read without being listed.', () =>
    changed(
      name,
      `CREATE TABLE later (one text[], two jsonb, three char(71));
       INSERT INTO later VALUES (ARRAY['${digest('a')}', '${digest('c')}'], '{"deep": [{"er": "${digest('b')}"}]}', '${digest('a')}');
       GRANT SELECT ON later TO PUBLIC`,
      'DROP TABLE later',
      async () => expect(await found(name)).toEqual([digest('a'), digest('b'), digest('c')]),
    ));
});

it('More references than one fetch returns arrive in order, each once.', async () => {
  const insert = `CREATE TABLE many AS SELECT 'sha256:' || encode(sha256(convert_to((n % 12000)::text, 'UTF8')), 'hex') AS digest FROM generate_series(1, 24000) AS n;
    GRANT SELECT ON many TO PUBLIC`;
  await changed('finality', insert, 'DROP TABLE many', async () => {
    const all = await found('finality');
    expect(all).toHaveLength(12_000);
    expect(all).toEqual([...all].sort());
  });
});

it('A database of another service is refused.', async () => {
  await expect(found('custody', databases.of.admission.url)).rejects.toMatchObject({
    code: 'DATABASE_UNEXPECTED',
    message: 'database custody has no table decision, permit_signature',
  });
});

it('A column of a type without digests in its text is refused, until someone judges it.', () =>
  changed('finality', 'CREATE TABLE later (proof bytea)', 'DROP TABLE later', async () => {
    await expect(found('finality')).rejects.toMatchObject({
      code: 'COLUMN_UNREADABLE',
      message: expect.stringContaining('finality later.proof has the type bytea'),
    });
  }));

it('A table that the role may not read is refused, not skipped.', () =>
  changed(
    'finality',
    'CREATE TABLE later (digest text); REVOKE ALL ON later FROM PUBLIC',
    'DROP TABLE later',
    async () => {
      await expect(found('finality')).rejects.toMatchObject({
        code: 'DATABASE_UNREADABLE',
        message: 'database finality cannot be read (42501)',
      });
    },
  ));

it('A digest that moves to another table during the reading is found.', async () => {
  await changed(
    'finality',
    'CREATE TABLE zz_early (digest text); CREATE TABLE aa_late (digest text); GRANT SELECT ON zz_early, aa_late TO PUBLIC',
    'DROP TABLE zz_early, aa_late',
    async () => {
      const { adminUrl, url } = databases.of.finality;
      await withClient(adminUrl, (client) => client.query('INSERT INTO zz_early VALUES ($1)', [digest('d')]));
      const source = await openReferences('finality', new Secret(url));
      await withClient(adminUrl, (client) =>
        client.query(
          'WITH moved AS (DELETE FROM zz_early RETURNING digest) INSERT INTO aa_late SELECT digest FROM moved',
        ),
      );
      const all: string[] = [];
      for await (const one of source.references()) all.push(one);
      await source.close();
      expect(all).toEqual([digest('d')]);
    },
  );
});
