import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { CustomLaunchStatus } from '@launch/contracts/states';
import { RowShapeError } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { insertCustomLaunch } from '../../fixtures/custom-launch.fixture.js';
import { openGatewayDatabase, type OpenedDatabase } from '../../fixtures/gateway-database.js';
import { insertPlan } from '../../fixtures/plan-rows.fixture.js';
import { runSql } from '../../fixtures/run-sql.js';
import { CredentialRepository } from '../accounts/credentials/credential.repository.js';
import { ReleaseRepository } from '../context/release.repository.js';
import { LaunchRepository, type Reservation, type ReservationOutcome } from './launch.repository.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';
import { LaunchRelayRepository } from './relay/launch-relay.repository.js';
import { FamilyRepository } from '../projections/family.repository.js';

const CONTROLLER: Hex = `0x${'1'.repeat(40)}`;
const ROUTER: Hex = `0x${'2'.repeat(40)}`;
const anyWord = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const anyDigest = (): Sha256Digest => sha256Digest(randomBytes(8));

let opened: OpenedDatabase;
let database: GatewayDatabase;
beforeAll(async () => {
  opened = await openGatewayDatabase();
  ({ database } = opened);
});
afterAll(() => opened.close());

/** Changes a launch's row in a way that the database's guard forbids. */
async function force(launchId: string, set: string, ...values: unknown[]): Promise<void> {
  await database.transaction(async (session) => {
    await runSql(session, 'ALTER TABLE launch DISABLE TRIGGER USER');
    await runSql(session, `UPDATE launch SET ${set} WHERE launch_id = $1`, [launchId, ...values]);
    await runSql(session, 'ALTER TABLE launch ENABLE TRIGGER USER');
  });
}

describe('The repository of launches', () => {
  let launches: LaunchRepository;
  const lineageId = randomUUID();
  const credentialId = randomUUID();
  const owner = { readsLineageId: lineageId, controllers: [CONTROLLER] };
  beforeAll(async () => {
    launches = new LaunchRepository(database);
    await new CredentialRepository(database).insert({
      credentialId,
      lineageId,
      generation: 1,
      kind: 'wallet',
      origin: 'operator',
      controller: CONTROLLER,
      allowedControllers: [],
      scopes: [],
      chains: [],
      label: null,
      secretMac: randomBytes(32),
      rotatedFrom: null,
      expiresAt: null,
    });
  });

  const reservation = ({ key = randomUUID(), ...more }: Partial<Reservation> & { key?: string } = {}): Reservation => ({
    scope: { family: 'multi-role.v2', lineageId, route: 'POST /launches', key },
    credentialId,
    launchId: randomUUID(),
    relayAfter: new Date(),
    controller: CONTROLLER,
    router: ROUTER,
    nonce: String(randomBytes(6).readUIntBE(0, 6)),
    requestSha256: anyDigest(),
    requestHash: anyWord(),
    artifactHash: anyWord(),
    onchainLaunchId: anyWord(),
    contextHash: anyWord(),
    contextText: '{"context":true}',
    validAfter: 1_000n,
    deadline: 2n ** 62n,
    imageSha256: anyDigest(),
    summary: null,
    ...more,
  });
  const kindsOf = (outcomes: readonly ReservationOutcome[]) => outcomes.map(({ kind }) => kind).sort();

  it('reserves key, nonce and launch together, and reads back the row that it returned', async () => {
    const one = reservation();
    const outcome = await launches.reserve(one);
    const launch = {
      launchId: one.launchId,
      family: 'multi-role.v2',
      requestSha256: one.requestSha256,
      contextDocument: one.contextText,
      deadline: String(one.deadline),
      status: 'reserved',
      publication: 'not_published',
      findings: '[]',
    };
    expect(outcome).toMatchObject({ kind: 'reserved', launch });
    const found = await launches.findByKey(one.scope, [CONTROLLER]);
    expect(found).toEqual({ bodySha256: one.requestSha256, launch: expect.objectContaining(launch) });
    expect(await launches.findOwned('multi-role.v2', one.launchId, owner)).toEqual(found?.launch);
    expect(await launches.isNonceReserved(ROUTER, CONTROLLER, one.nonce)).toBe(true);
  });

  it('finds and lists launches of every lineage for a wallet that has signed in, and of no other wallet', async () => {
    const one = reservation();
    await launches.reserve(one);
    const signedIn = { readsLineageId: null, controllers: [CONTROLLER] };
    expect((await launches.findOwned('multi-role.v2', one.launchId, signedIn))?.launchId).toBe(one.launchId);
    const listed = await launches.listOwned('multi-role.v2', signedIn, 25, null);
    expect(listed.map(({ launchId }) => launchId)).toContain(one.launchId);
    expect(await launches.findOwned('multi-role.v2', one.launchId, { ...signedIn, controllers: [ROUTER] })).toBeNull();
  });

  it('finds no launch of another wallet, lineage, family or kind of key', async () => {
    const one = reservation();
    await launches.reserve(one);
    const find = (family: 'multi-role.v2' | 'plan.v1', more: Partial<typeof owner>) =>
      launches.findOwned(family, one.launchId, { ...owner, ...more });
    expect([
      await find('multi-role.v2', { controllers: [ROUTER] }),
      await find('multi-role.v2', { readsLineageId: randomUUID() }),
      await find('plan.v1', {}),
      await launches.findByKey(one.scope, [ROUTER]),
      await launches.findByKey({ ...one.scope, family: 'plan.v1' }, [CONTROLLER]),
      await launches.findByKey({ ...one.scope, route: 'POST /others' }, [CONTROLLER]),
    ]).toEqual([null, null, null, null, null, null]);
    expect(await launches.isNonceReserved(CONTROLLER, CONTROLLER, one.nonce)).toBe(false);
  });

  it('claims nothing for a taken nonce, a revoked key, or rows beside the launch that fail', async () => {
    const first = reservation();
    await launches.reserve(first);
    const [taken, revoked, failing] = [reservation({ nonce: first.nonce }), reservation(), reservation()];
    await runSql(database, 'UPDATE credential SET revoked_at = now() WHERE credential_id = $1', [credentialId]);
    expect(await launches.reserve(revoked)).toEqual({ kind: 'credential-revoked' });
    await runSql(database, 'ALTER TABLE credential DISABLE TRIGGER USER');
    await runSql(database, 'UPDATE credential SET revoked_at = NULL WHERE credential_id = $1', [credentialId]);
    await runSql(database, 'ALTER TABLE credential ENABLE TRIGGER USER');
    expect(await launches.reserve(taken)).toEqual({ kind: 'nonce-taken' });
    const beside = new Error('the rows beside it');
    await expect(launches.reserve(failing, () => Promise.reject(beside))).rejects.toBe(beside);
    for (const { scope, launchId } of [taken, revoked, failing])
      expect([
        await launches.findByKey(scope, [CONTROLLER]),
        await launches.findOwned('multi-role.v2', launchId, owner),
      ]).toEqual([null, null]);
    expect(await launches.reserve(failing, async () => undefined)).toMatchObject({ kind: 'reserved' });
  });

  it('reserves one of concurrent requests with the same key, and one of those with the same nonce', async () => {
    const [key, nonce] = [randomUUID(), String(randomBytes(6).readUIntBE(0, 6))];
    const both = [() => reservation({ key }), () => reservation({ nonce })];
    const [byKey = [], byNonce = []] = await Promise.all(
      both.map((next) => Promise.all(Array.from({ length: 6 }, () => launches.reserve(next())))),
    );
    expect(kindsOf(byKey)).toEqual([...Array.from({ length: 5 }, () => 'key-taken'), 'reserved']);
    expect(kindsOf(byNonce)).toEqual([...Array.from({ length: 5 }, () => 'nonce-taken'), 'reserved']);
  });

  it('counts unfinished launches of each lineage up to the number asked for', async () => {
    const [many, one, none] = [randomUUID(), randomUUID(), randomUUID()];
    for (let index = 0; index < 4; index += 1) await insertPlan(database, { lineageId: many, controller: CONTROLLER });
    await insertPlan(database, { lineageId: one, controller: CONTROLLER });
    await insertPlan(database, { lineageId: one, controller: CONTROLLER, status: 'failed' });
    expect(
      await Promise.all([
        launches.countUnfinished(many, 2),
        launches.countUnfinished(many, 100),
        launches.countUnfinished(one, 100),
        launches.countUnfinished(none, 100),
      ]),
    ).toEqual([2, 4, 1, 0]);
  });

  it('lists pages of the newest launches first, and launches of one time by their ids', async () => {
    const listed = randomUUID();
    const [early, late] = [new Date('2026-01-01T00:00:00.000Z'), new Date('2026-01-02T00:00:00.000Z')];
    const ids: string[] = [];
    for (const createdAt of [early, late, early, late, late])
      ids.push((await insertPlan(database, { lineageId: listed, controller: CONTROLLER, createdAt })).planId);
    const at = (which: Date) => ids.filter((_, index) => (which === early) === (index % 2 === 0 && index < 4)).sort();
    const expected = [...at(late), ...at(early)];
    const page = (after: Parameters<LaunchRepository['listOwned']>[3]) =>
      launches.listOwned('plan.v1', { readsLineageId: listed, controllers: [CONTROLLER] }, 2, after);
    const first = await page(null);
    expect(first.map(({ launchId }) => launchId)).toEqual(expected.slice(0, 3));
    const second = await page(first[1] ?? null);
    expect(second.map(({ launchId }) => launchId)).toEqual(expected.slice(2));
    expect(await page(second[2] ?? null)).toEqual([]);
  });

  it('refuses a row with a malformed digest', async () => {
    const one = reservation();
    await launches.reserve(one);
    await force(one.launchId, `request_sha256 = 'no digest'`);
    await expect(launches.findOwned('multi-role.v2', one.launchId, owner)).rejects.toThrow(RowShapeError);
    await expect(launches.findByKey(one.scope, [CONTROLLER])).rejects.toThrow('requestSha256');
  });
});

describe("The relay's repository of launches", () => {
  let relay: LaunchRelayRepository;
  beforeAll(() => {
    relay = new LaunchRelayRepository(database);
  });
  beforeEach(() => runSql(database, `UPDATE launch SET relay_after = 'infinity'`));

  const due = async (secondsAgo: number, status?: CustomLaunchStatus) => {
    const { launchId } = await insertCustomLaunch(database, status);
    await runSql(database, `UPDATE launch SET relay_after = now() - $2 * interval '1 second' WHERE launch_id = $1`, [
      launchId,
      secondsAgo,
    ]);
    return launchId;
  };
  const column = async (launchId: string, text: string) =>
    (
      await runSql<{ value: unknown }>(database, `SELECT ${text} AS value FROM launch WHERE launch_id = $1`, [launchId])
    )[0]?.value;
  const idsOf = (taken: readonly { readonly launchId: string }[]) => taken.map(({ launchId }) => launchId);

  it('takes the launches that are due longest, no finished ones, and postpones each', async () => {
    const [last, first] = [await due(10), await due(20)];
    await due(30, 'failed');
    expect(idsOf(await relay.takeDue(1, 60))).toEqual([first]);
    expect(await relay.takeDue(5, 60)).toEqual([
      expect.objectContaining({ launchId: last, family: 'custom-launch.v4', status: 'admitting', deadline: '2000' }),
    ]);
    expect(await relay.takeDue(5, 60)).toEqual([]);
  });

  it('gives each due launch to one of several gateways', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => due(10)));
    const taken = await Promise.all(Array.from({ length: 6 }, () => relay.takeDue(4, 60)));
    const rest = await relay.takeDue(100, 60);
    expect([...taken.flatMap(idsOf), ...idsOf(rest)].sort()).toEqual([...all].sort());
  });

  it('postpones an admission past its window for longer each time, up to a day', async () => {
    const launchId = await due(10);
    expect(idsOf(await relay.takeDue(1, 60))).toEqual([launchId]);
    // The window of this launch ended decades ago.
    expect(await column(launchId, `relay_after - now() BETWEEN interval '23 hours' AND interval '1 day'`)).toBe(true);
    await relay.retrySoon(launchId, 5);
    await relay.retrySoon(launchId, 3_600);
    expect(await column(launchId, `relay_after < now() + interval '6 seconds'`)).toBe(true);
  });

  it('finds a launch until it is finished', async () => {
    const [open, finished] = [await due(0), await due(0, 'failed')];
    expect(await relay.findUnfinished(open)).toMatchObject({ launchId: open, handoffSha256: null });
    expect([await relay.findUnfinished(finished), await relay.findUnfinished(randomUUID())]).toEqual([null, null]);
  });

  it('records the first start of each workflow', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => due(0)));
    await Promise.all(ids.map((launchId) => relay.noteStarted(launchId, 'admission')));
    const [launchId = ''] = ids;
    const before = await column(launchId, 'admission_started_at');
    expect([before, await column(launchId, 'observation_started_at')]).toEqual([expect.any(Date), null]);
    await relay.noteStarted(launchId, 'admission');
    await relay.noteStarted(launchId, 'observation');
    expect([await column(launchId, 'admission_started_at'), await column(launchId, 'observation_started_at')]).toEqual([
      before,
      expect.any(Date),
    ]);
  });

  it('lists hints in the order of their registration, with their delivery, and refuses one that is no hash', async () => {
    const launchId = await due(0);
    const [second, first] = ['0x' + '1'.repeat(64), '0x' + '2'.repeat(64)];
    const hint = (hash: string, at: string) =>
      runSql(
        database,
        'INSERT INTO transaction_hint (launch_id, transaction_hash, registered_at) VALUES ($1, $2, $3)',
        [launchId, hash, at],
      );
    await hint(second, '2026-01-02');
    await hint(first, '2026-01-01');
    await relay.noteDelivered(launchId, second);
    expect(await relay.hintsOf(launchId)).toEqual([
      { transactionHash: first, delivered: false },
      { transactionHash: second, delivered: true },
    ]);
    await hint('no hash', '2026-01-03');
    await expect(relay.hintsOf(launchId)).rejects.toThrow();
  });
});

describe('The repository of refused requests', () => {
  it('lists the oldest due launches that still have their bytes, and the digests that other records need', async () => {
    const requests = new RefusedRequestsRepository(database);
    const aged = async (days: number, status?: CustomLaunchStatus) => {
      const row = await insertCustomLaunch(database, status);
      await runSql(database, `UPDATE launch SET updated_at = now() - $2 * interval '1 day' WHERE launch_id = $1`, [
        row.launchId,
        days,
      ]);
      return row;
    };
    const [young, old, older] = [await aged(89, 'failed'), await aged(91, 'failed'), await aged(92, 'action_required')];
    const open = await aged(1_000);
    expect((await requests.due(90, 10)).map(({ launchId }) => launchId)).toEqual([older.launchId, old.launchId]);
    expect(await requests.due(90, 1)).toEqual([
      { launchId: older.launchId, requestSha256: older.requestSha256, imageSha256: older.imageSha256 },
    ]);
    const asked = [old.requestSha256, open.requestSha256, young.imageSha256, anyDigest()];
    expect(await requests.needed(asked)).toEqual(new Set(asked.slice(0, 3)));
    expect(await requests.needed(asked, [old.launchId])).toEqual(new Set(asked.slice(1, 3)));
    await requests.noteRetired([old.launchId, older.launchId]);
    expect(await requests.due(90, 10)).toEqual([]);
    expect(await requests.needed(asked)).toEqual(new Set(asked.slice(1, 3)));
  });
});

it('The repository of releases keeps the first document of a context.', async () => {
  const releases = new ReleaseRepository(database);
  const contextHash = anyWord();
  await Promise.all([releases.keep(contextHash, 'document'), releases.keep(contextHash, 'document')]);
  await releases.keep(contextHash, 'another');
  expect(await database.prisma.releaseContext.findMany({ where: { contextHash }, select: { document: true } })).toEqual(
    [{ document: 'document' }],
  );
});

it('The repository of families gives an unknown launch the first family, and asks again later.', async () => {
  const families = new FamilyRepository(database);
  const { launchId } = await insertCustomLaunch(database);
  const { planId } = await insertPlan(database, { lineageId: randomUUID(), controller: CONTROLLER });
  expect([
    await families.familyOf(launchId),
    await families.familyOf(planId),
    await families.familyOf(randomUUID()),
  ]).toEqual(['custom-launch.v4', 'plan.v1', 'multi-role.v2']);
});
