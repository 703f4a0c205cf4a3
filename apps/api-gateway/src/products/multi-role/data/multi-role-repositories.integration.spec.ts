import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyFinding } from '@launch/contracts/errors';
import type { AnyFinalityStatus, AnyFinalizedRecord, SourceAssessment } from '@launch/contracts/multi-role';
import type { RecoveryReport } from '@launch/contracts/orchestration';
import { LIMITS, sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchStatus } from '@launch/contracts/states';
import { RowShapeError } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { insertCustomLaunch } from '../../../fixtures/custom-launch.fixture.js';
import { openGatewayDatabase, type OpenedDatabase } from '../../../fixtures/gateway-database.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { HintRepository } from './hint.repository.js';
import { MultiRoleProjectionRepository } from './multi-role-projection.repository.js';
import { RecoveryRepository } from './recovery.repository.js';

const anyWord = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const anyAccount = (): Hex => `0x${randomBytes(20).toString('hex')}`;
const anyDigest = (): Sha256Digest => sha256Digest(randomBytes(8));
const CONTEXT = anyWord();

let opened: OpenedDatabase;
let database: GatewayDatabase;
let hints: HintRepository;
let projections: MultiRoleProjectionRepository;
let recovery: RecoveryRepository;
beforeAll(async () => {
  opened = await openGatewayDatabase();
  ({ database } = opened);
  hints = new HintRepository(database);
  projections = new MultiRoleProjectionRepository(database);
  recovery = new RecoveryRepository(database);
  await runSql(database, 'INSERT INTO release_context (context_hash, document) VALUES ($1, $2)', [
    CONTEXT,
    '{"of":"it"}',
  ]);
});
afterAll(() => opened.close());

const handoffAt = (blockNumber: string): string => JSON.stringify({ simulation: { blockNumber } });
interface Inserted {
  readonly launchId: string;
  readonly onchainLaunchId: Hex;
  readonly router: Hex;
}
/** Inserts a multi-role launch; one past its admission has a hand-off. */
async function launchOf(
  status: LaunchStatus,
  { router = anyAccount(), fromBlock = '10', createdAt = new Date() } = {},
): Promise<Inserted> {
  const [launchId, onchainLaunchId] = [randomUUID(), anyWord()];
  const handoff = ['reserved', 'admitting', 'action_required'].includes(status) ? null : handoffAt(fromBlock);
  await runSql(
    database,
    `INSERT INTO launch (launch_id, family, lineage_id, controller, router, nonce, idempotency_key, request_sha256, request_hash,
       artifact_hash, onchain_launch_id, context_hash, valid_after, deadline, image_sha256, status, handoff, handoff_sha256, created_at)
     VALUES ($1, 'multi-role.v2', gen_random_uuid(), $2, $3, '1', '', $4, $5, $5, $6, $7, 1, 2, $4, $8, $9, $10, $11)`,
    [
      launchId,
      anyAccount(),
      router,
      anyDigest(),
      anyWord(),
      onchainLaunchId,
      CONTEXT,
      status,
      handoff,
      handoff === null ? null : anyDigest(),
      createdAt,
    ],
  );
  return { launchId, onchainLaunchId, router };
}
const rowOf = ({ launchId }: Inserted) => database.prisma.launch.findUniqueOrThrow({ where: { launchId } });

describe('The repository of transaction hints', () => {
  it('registers a hash once, and answers a repetition with the time of the first', async () => {
    const { launchId } = await launchOf('authorized');
    const hash = anyWord();
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => hints.register(launchId, hash)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['registered', 'repeated', 'repeated', 'repeated']);
    expect(new Set(outcomes.map((one) => ('registeredAt' in one ? one.registeredAt.getTime() : null))).size).toBe(1);
  });

  it('accepts as many hashes as the limit from concurrent clients, beside those of the recovery', async () => {
    const { launchId } = await launchOf('authorized');
    await recovery.keepHash({ launchId, transactionHash: anyWord() });
    const asked = Array.from({ length: LIMITS.hintsPerLaunch + 2 }, () => hints.register(launchId, anyWord()));
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'registered')).toHaveLength(LIMITS.hintsPerLaunch);
    expect(kinds.filter((kind) => kind === 'full')).toHaveLength(2);
  });

  it('registers none for an absent launch', async () => {
    await expect(hints.register(randomUUID(), anyWord())).rejects.toMatchObject({ code: '23503' });
  });
});

describe('The repository of the recovery', () => {
  const report = (router: string, more: Partial<RecoveryReport> = {}): RecoveryReport => ({
    router: router as Hex,
    checkpoint: { blockNumber: '90', blockHash: anyWord() },
    head: { blockNumber: '18446744073709551', blockHash: anyWord() },
    observation: 'agreed',
    reason: null,
    ...more,
  });

  it('searches each router from its earliest hand-off, the longest waiting router first', async () => {
    const [one, other] = [anyAccount(), anyAccount()];
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    await launchOf('authorized', { router: one, fromBlock: '9', createdAt: at(2) });
    await launchOf('submitted', { router: one, fromBlock: '100', createdAt: at(3) });
    await launchOf('authorized', { router: other, fromBlock: '20', createdAt: at(1) });
    await launchOf('finalized', { createdAt: at(1) });
    await launchOf('reserved', { createdAt: at(1) });
    expect((await recovery.targets(2)).slice(0, 2)).toEqual([
      { router: other, fromBlock: '20' },
      { router: one, fromBlock: '9' },
    ]);
    expect(await recovery.targets(1)).toHaveLength(1);
  });

  it('finds the stamped launches of a router that are open and handed off', async () => {
    const open = await launchOf('authorized');
    const { router } = open;
    const [ended, early] = [await launchOf('expired', { router }), await launchOf('admitting', { router })];
    const transactionHash = anyWord();
    const stamps = [open, ended, early, { onchainLaunchId: anyWord() }].map(({ onchainLaunchId }) => ({
      onchainLaunchId,
      transactionHash,
    }));
    const found = { launchId: open.launchId, transactionHash };
    expect([await recovery.stamped(router, stamps), await recovery.stamped(anyAccount(), stamps)]).toEqual([
      [found],
      [],
    ]);
    await recovery.keepHash(found);
    await recovery.keepHash(found);
    expect(await database.prisma.transactionHint.findMany({ where: { launchId: open.launchId } })).toEqual([
      expect.objectContaining({ transactionHash, source: 'recovery', deliveredAt: null }),
    ]);
  });

  it('keeps the last report of each router, lists the router of the API first, and omits routers without open launches', async () => {
    const { router: own } = await launchOf('finalized');
    const [open, foreign] = [await launchOf('authorized'), await launchOf('expired')];
    const custom = await insertCustomLaunch(database);
    await runSql(
      database,
      `UPDATE launch SET status = 'authorized', handoff = $2, handoff_sha256 = $3 WHERE launch_id = $1`,
      [custom.launchId, handoffAt('5'), anyDigest()],
    );
    expect(await recovery.targets(9)).toContainEqual({ router: custom.router, fromBlock: '5' });
    for (const router of [open.router, foreign.router, own, custom.router]) await recovery.report(report(router));
    await recovery.report(report(own, { checkpoint: null, head: null, observation: 'indeterminate', reason: 'x' }));
    const reports = await recovery.lastReports(own);
    expect(reports).toEqual([
      {
        router: own,
        checkpointNumber: null,
        checkpointHash: null,
        headNumber: null,
        observation: 'indeterminate',
        reportedAt: expect.any(Date),
      },
      expect.objectContaining({ router: open.router, checkpointNumber: '90', headNumber: '18446744073709551' }),
    ]);
  });

  it('refuses a report whose router is not an address', async () => {
    await recovery.report(report('no address'));
    await expect(recovery.lastReports('no address')).rejects.toThrow(RowShapeError);
  });
});

describe('The repository of multi-role projections', () => {
  const findings = [{ code: 'SOME_ERROR' }] as unknown as readonly AnyFinding[];
  const assessment = (verdict: string) => ({ verdict }) as unknown as SourceAssessment;
  const finalityAt = (at: string) => ({ observation: { at } }) as unknown as AnyFinalityStatus;

  it('reads the members that identify a launch, with its own context', async () => {
    const launch = await launchOf('reserved');
    const { requestSha256, requestHash } = await rowOf(launch);
    expect(await projections.identityOf(launch.launchId)).toMatchObject({
      status: 'reserved',
      requestSha256,
      requestHash,
      router: launch.router,
      onchainLaunchId: launch.onchainLaunchId,
      contextHash: CONTEXT,
      contextDocument: '{"of":"it"}',
    });
    expect(await projections.identityOf(randomUUID())).toBeNull();
  });

  it('moves a launch forward only, and keeps the first assessment and hand-off', async () => {
    const launch = await launchOf('reserved');
    const { launchId } = launch;
    await projections.admitting(launchId, 'WAITING');
    expect(await rowOf(launch)).toMatchObject({ status: 'admitting', statusReason: 'WAITING' });
    await projections.assessed(launchId, assessment('first'), findings);
    await projections.assessed(launchId, assessment('second'), []);
    expect(await rowOf(launch)).toMatchObject({
      assessment: '{"verdict":"first"}',
      findings: JSON.stringify(findings),
    });
    const handoffSha256 = anyDigest();
    await projections.handedOff(launchId, handoffSha256, handoffAt('1'));
    await projections.handedOff(launchId, anyDigest(), handoffAt('2'));
    await projections.admitting(launchId, 'LATE');
    await projections.failed(launchId, findings, 'LATE', true);
    await projections.expired(launchId, 'LATE', true);
    expect(await rowOf(launch)).toMatchObject({
      status: 'authorized',
      statusReason: null,
      handoffSha256,
      handoff: handoffAt('1'),
    });
    await projections.awaitingSignature(launchId);
    const transactionHash = anyWord();
    await projections.submitted(launchId, transactionHash);
    await projections.awaitingSignature(launchId);
    expect(await rowOf(launch)).toMatchObject({ status: 'submitted', transactionHash });
    await projections.failed(launchId, findings, 'REVERTED', false);
    await projections.expired(launchId, 'PERMIT_EXPIRED', false);
    expect(await rowOf(launch)).toMatchObject({ status: 'failed', statusReason: 'REVERTED' });
  });

  it('replaces finality by a newer observation only', async () => {
    const launch = await launchOf('submitted');
    for (const second of ['05', '04', '06']) {
      await projections.finality(launch.launchId, finalityAt(`2026-11-20T10:00:${second}.000Z`), 0);
    }
    await projections.finality(launch.launchId, finalityAt('2026-11-20T10:00:05.500Z'), 0);
    expect((await rowOf(launch)).finality).toContain(':06.000Z');
    const early = await launchOf('admitting');
    await projections.finality(early.launchId, finalityAt('2026-11-20T10:00:05.000Z'), 0);
    expect((await rowOf(early)).finality).toBeNull();
  });

  it('keeps the finality of the observation with the greatest number', async () => {
    const launch = await launchOf('submitted');
    await projections.finality(launch.launchId, finalityAt('2026-11-20T10:00:05.000Z'), 7);
    await projections.finality(launch.launchId, finalityAt('2026-11-20T10:00:06.000Z'), 6);
    expect(await rowOf(launch)).toMatchObject({ sequence: 7 });
    expect((await rowOf(launch)).finality).toContain(':05.000Z');
  });

  it('releases the nonce of a refused launch only where custody permits it', async () => {
    for (const releaseNonce of [false, true]) {
      const launch = await launchOf('admitting');
      const { launchId, router } = launch;
      await runSql(
        database,
        `INSERT INTO nonce_reservation (router, controller, nonce, launch_id) VALUES ($1, '0x', '1', $2)`,
        [router, launchId],
      );
      await projections.refused(launchId, findings, 'SOME_ERROR', releaseNonce);
      expect(await rowOf(launch)).toMatchObject({ status: 'action_required', statusReason: 'SOME_ERROR' });
      expect(await database.prisma.nonceReservation.count({ where: { launchId } })).toBe(releaseNonce ? 0 : 1);
    }
  });

  const recordOf = ({ onchainLaunchId }: Inserted, transactionHash: Hex, generation: 'v2' | 'v3' = 'v2') =>
    ({
      schemaVersion: `service.multi-role-finalized-metadata.${generation}`,
      onchainLaunchId,
      image: { sha256: anyDigest(), mediaType: 'image/png' },
      provenance: { transactionHash, l2Block: { number: '1', hash: anyWord() } },
    }) as unknown as AnyFinalizedRecord;
  const publish = ({ launchId }: Inserted, record: AnyFinalizedRecord) =>
    projections.publish(launchId, record, anyDigest(), JSON.stringify(record), finalityAt('x'), null);

  it('publishes a launch once under one number, in the feed of its generation', async () => {
    const [one, other, open] = [await launchOf('submitted'), await launchOf('authorized'), await launchOf('reserved')];
    const record = recordOf(one, anyWord());
    expect((await Promise.all(Array.from({ length: 4 }, () => publish(one, record)))).sort()).toEqual([
      'already',
      'already',
      'already',
      'published',
    ]);
    expect(await publish(one, recordOf(one, anyWord()))).toBe('conflict');
    expect(await publish(open, recordOf(open, anyWord()))).toBe('conflict');
    expect(await publish(other, recordOf(other, anyWord(), 'v3'))).toBe('published');
    expect(await database.prisma.finalizedRecord.findMany({ orderBy: { publicationNumber: 'asc' } })).toEqual([
      expect.objectContaining({ publicationNumber: 1n, launchId: one.launchId, feed: 'multi-role.v2' }),
      expect.objectContaining({ publicationNumber: 2n, launchId: other.launchId, feed: 'multi-role.v3' }),
    ]);
    expect(await rowOf(one)).toMatchObject({ status: 'finalized', transactionHash: record.provenance.transactionHash });
    expect(await rowOf(open)).toMatchObject({ status: 'reserved', finality: null });
  });
});
