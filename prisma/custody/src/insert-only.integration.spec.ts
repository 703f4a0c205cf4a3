import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import pg from 'pg';
import { mayRewriteDecisions, openCustodyDatabase } from './index.js';

let database: TestDatabase;
let service: pg.Pool;
let superuser: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase('custody');
  service = new pg.Pool({ connectionString: database.url, max: 2 });
  superuser = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
});
afterAll(async () => {
  await service?.end();
  await superuser?.end();
  await database?.drop();
});

const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const COLUMNS = [
  'launch_id',
  'family',
  'kind',
  'request_sha256',
  'request_hash',
  'router',
  'controller',
  'nonce',
  'document',
  'permit_digest',
  'taken_nonce',
  'taken_request',
] as const;
type Row = Record<(typeof COLUMNS)[number], string | null>;

const ROUTER = `0x${'a'.repeat(40)}`;
const CONTROLLER = `0x${'b'.repeat(40)}`;
let counter = 0;
function digestRow(over: Partial<Row> = {}): Row {
  counter += 1;
  const nonce = over.nonce ?? String(counter);
  const requestHash = over.request_hash ?? `0x${counter.toString(16).padStart(64, '0')}`;
  return {
    launch_id: randomUUID(),
    family: 'multi-role.v2',
    kind: 'digest',
    request_sha256: `sha256:${'1'.repeat(64)}`,
    request_hash: requestHash,
    router: ROUTER,
    controller: CONTROLLER,
    nonce,
    document: '{}',
    permit_digest: `0x${counter.toString(16).padStart(64, 'd')}`,
    taken_nonce: `${ROUTER}/${CONTROLLER}/${nonce}`,
    taken_request: requestHash,
    ...over,
  };
}
const refusalRow = (over: Partial<Row> = {}): Row => ({
  ...digestRow(over),
  kind: 'refusal',
  permit_digest: null,
  taken_nonce: null,
  taken_request: null,
  ...over,
});
const insert = (row: Row): Promise<unknown> =>
  service.query(
    `INSERT INTO decision (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})`,
    COLUMNS.map((column) => row[column]),
  );

describe('The custody role', () => {
  it('may insert and read, and detects that it may not rewrite, unlike a superuser', async () => {
    await insert(digestRow());
    expect((await service.query('SELECT count(*)::int AS n FROM decision')).rows[0].n).toBeGreaterThan(0);
    expect(await mayRewriteDecisions(service)).toBe(false);
    expect(await mayRewriteDecisions(superuser)).toBe(true);
  });

  const rewrites = ['decision', 'permit_signature'].flatMap((table) => [
    `UPDATE ${table} SET launch_id = launch_id`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
  ]);
  it.each(rewrites)('lacks the right to run: %s', async (statement) => {
    await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
  it.each(rewrites)('protects its tables even from a superuser who runs: %s', async (statement) => {
    await expect(superuser.query(statement)).rejects.toMatchObject({ code: '23000' });
  });
});

describe('A role of its own, beside the one that owns the tables', () => {
  it('works with INSERT and SELECT alone', async () => {
    const role = `custody_writer_${randomUUID().slice(0, 8)}`;
    const password = randomUUID();
    await superuser.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
    await superuser.query(`GRANT CONNECT ON DATABASE ${database.name} TO ${role}`);
    await superuser.query(`GRANT USAGE ON SCHEMA public TO ${role}`);
    await superuser.query(`GRANT SELECT, INSERT ON decision, permit_signature TO ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = password;
    const pool = new pg.Pool({ connectionString: url.toString(), max: 1 });
    try {
      const { launch_id: launchId, permit_digest: permitDigest, ...row } = digestRow();
      const prisma = openCustodyDatabase(pool);
      const decision = {
        launchId: launchId!,
        permitDigest,
        family: 'multi-role.v2',
        kind: 'digest',
        document: '{}',
        router: ROUTER,
        controller: CONTROLLER,
        requestSha256: row.request_sha256!,
        requestHash: row.request_hash!,
        nonce: row.nonce!,
        takenNonce: row.taken_nonce,
        takenRequest: row.taken_request,
      };
      expect(await prisma.decision.createMany({ data: [decision], skipDuplicates: true })).toEqual({ count: 1 });
      expect(await prisma.decision.createMany({ data: [decision], skipDuplicates: true })).toEqual({ count: 0 });
      const signature = {
        launchId: launchId!,
        permitDigest: permitDigest!,
        signer: ROUTER,
        signature: `0x${'1'.repeat(130)}`,
      };
      expect(await prisma.permitSignature.createMany({ data: [signature], skipDuplicates: true })).toEqual({
        count: 1,
      });
      expect(await mayRewriteDecisions(pool)).toBe(false);
      await expect(pool.query('DELETE FROM decision')).rejects.toMatchObject({ code: '42501' });
      await expect(pool.query('ALTER TABLE decision DISABLE TRIGGER ALL')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await pool.end();
      await superuser.query(`DROP OWNED BY ${role}`);
      await superuser.query(`DROP ROLE ${role}`);
    }
  });
});

describe('A decision', () => {
  it('exists once for a launch, as a digest or as a refusal', async () => {
    const row = digestRow();
    await insert(row);
    await expect(insert(refusalRow({ launch_id: row.launch_id }))).rejects.toMatchObject({
      code: '23505',
      constraint: 'decision_pkey',
    });
    const refused = refusalRow();
    await insert(refused);
    await expect(insert(digestRow({ launch_id: refused.launch_id }))).rejects.toMatchObject({
      code: '23505',
      constraint: 'decision_pkey',
    });
  });

  it('of a digest takes the nonce and the request permanently, and that of a refusal takes neither', async () => {
    const taken = digestRow();
    await insert(taken);
    await expect(insert(digestRow({ nonce: taken.nonce }))).rejects.toMatchObject({
      code: '23505',
      constraint: 'decision_taken_nonce_key',
    });
    await expect(
      insert(digestRow({ request_hash: taken.request_hash, taken_request: taken.request_hash })),
    ).rejects.toMatchObject({ constraint: 'decision_taken_request_key' });
    await expect(insert(digestRow({ permit_digest: taken.permit_digest }))).rejects.toMatchObject({
      constraint: 'decision_permit_digest_key',
    });
    const released = refusalRow();
    await insert(released);
    await insert(refusalRow({ nonce: released.nonce, request_hash: released.request_hash }));
    await insert(digestRow({ nonce: released.nonce, taken_nonce: `${ROUTER}/${CONTROLLER}/${released.nonce}` }));
  });

  const torn: readonly [string, () => Row][] = [
    ['a digest without its nonce taken', () => digestRow({ taken_nonce: null })],
    ['a digest that takes another nonce', () => digestRow({ taken_nonce: `${ROUTER}/${CONTROLLER}/0` })],
    ['a digest without its request taken', () => digestRow({ taken_request: null })],
    ['a digest without a digest', () => digestRow({ permit_digest: null })],
    ['a refusal that takes a nonce', () => refusalRow({ taken_nonce: `${ROUTER}/${CONTROLLER}/0` })],
    ['a refusal with a digest', () => refusalRow({ permit_digest: hash('e') })],
    ['another kind', () => refusalRow({ kind: 'maybe' })],
    ['an address in capitals', () => refusalRow({ controller: CONTROLLER.toUpperCase().replace('0X', '0x') })],
  ];
  it.each(torn)('is refused when it is inconsistent: %s', async (_name, row) => {
    await expect(insert(row())).rejects.toMatchObject({ code: '23514' });
  });
});

describe('A signature', () => {
  const sign = (launchId: string | null, digest: string | null): Promise<unknown> =>
    service.query(
      'INSERT INTO permit_signature (launch_id, permit_digest, signer, signature) VALUES ($1, $2, $3, $4)',
      [launchId, digest, ROUTER, `0x${'1'.repeat(130)}`],
    );

  it('belongs to a committed digest of the same launch, once', async () => {
    const row = digestRow();
    const other = digestRow();
    await expect(sign(row.launch_id, row.permit_digest)).rejects.toMatchObject({ code: '23503' });
    await insert(row);
    await insert(other);
    await expect(sign(row.launch_id, other.permit_digest)).rejects.toMatchObject({ code: '23503' });
    await sign(row.launch_id, row.permit_digest);
    await expect(sign(row.launch_id, row.permit_digest)).rejects.toMatchObject({ code: '23505' });
  });
});
