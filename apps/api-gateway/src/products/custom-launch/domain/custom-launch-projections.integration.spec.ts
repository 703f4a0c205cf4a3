import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { customLaunchFailureSchema } from '@launch/contracts/custom-launch';
import { customLaunchFinding } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  nextCustomLaunchStatus,
  CUSTOM_LAUNCH_FINISHED_STATUSES,
  CUSTOM_LAUNCH_STATUSES,
  CUSTOM_LAUNCH_TRIGGERS,
  WALLET_REASONS,
  type CustomLaunchStatus,
  type CustomLaunchTrigger,
} from '@launch/contracts/states';
import { createPool } from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import {
  insertCustomLaunch,
  CUSTOM_LAUNCH_TRANSACTION,
  customLaunchEvidence,
  customLaunchFinality,
  customLaunchHandoff,
  customLaunchRecord,
  type InsertedCustomLaunch,
} from '../../../fixtures/custom-launch.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';
import type { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import { FamilyRepository } from '../../../core/projections/family.repository.js';
import { ProjectionService } from '../../../core/projections/projection.service.js';
import { StoredDocuments } from '../../../core/projections/stored-documents.js';
import { CustomLaunchProjectionRepository } from '../../../core/projections/custom-launch-projection.repository.js';
import { CustomLaunchProjections } from './custom-launch.projections.js';
import { CustomLaunchPublicationService } from '../../../core/projections/custom-launch-publication.service.js';

let test: TestDatabase;
let database: GatewayDatabase;
let blobs: BlobStore;
let dir: string;
let projections: ProjectionService;
const started: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase('api-gateway');
  database = createGatewayDatabase(createPool({ connectionString: test.url, applicationName: 'v4-projections' }));
  dir = await mkdtemp(path.join(tmpdir(), 'v4-blobs-'));
  blobs = createFileBlobStore({ dir });
  projections = new ProjectionService(new FamilyRepository(database));
  const documents = new StoredDocuments(blobs);
  const relay = { startSoon: (launchId: string) => void started.push(launchId) } as unknown as LaunchRelayService;
  new CustomLaunchProjections(
    projections,
    new CustomLaunchProjectionRepository(database),
    new CustomLaunchPublicationService(documents),
    relay,
    documents,
  ).onModuleInit();
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
  await rm(dir, { recursive: true, force: true });
});

const put = (document: object) => blobs.put(canonicalizeJson(document));
const rowOf = async (launchId: string): Promise<Record<string, unknown>> => {
  const [row] = await runSql<Record<string, unknown>>(database, 'SELECT * FROM launch WHERE launch_id = $1', [
    launchId,
  ]);
  return row ?? {};
};
const seen = (transactions: boolean, status: 'agreed' | 'indeterminate') => ({
  observation: { status, reason: null, at: '2026-11-20T10:00:00.000Z' },
  ...(transactions
    ? {
        transactions: [
          { transactionHash: CUSTOM_LAUNCH_TRANSACTION, source: 'observed' as const, status: 'seen' as const },
        ],
      }
    : {}),
});
async function finalize(
  row: InsertedCustomLaunch,
  change: Parameters<typeof customLaunchRecord>[2] = {},
): Promise<void> {
  const evidenceSha256 = await put(customLaunchEvidence(row));
  await projections.recordFinalized({
    launchId: row.launchId,
    recordSha256: await put(customLaunchRecord(row, evidenceSha256, change)),
    evidenceSha256,
    finality: customLaunchFinality(row.launchId, 'ethereum_finalized'),
    sequence: 3,
  });
}
const reverted = () => [customLaunchFinding('LAUNCH_REVERTED', '')];

/** The call by which a workflow reports each trigger. `isObservation` marks calls of which an older one changes nothing. */
const CALLS: Readonly<
  Record<
    CustomLaunchTrigger,
    {
      readonly says?: readonly CustomLaunchTrigger[];
      readonly isObservation?: false;
      readonly call: (row: InsertedCustomLaunch, sequence: number) => Promise<void>;
    }
  >
> = {
  findings_found: {
    isObservation: false,
    call: ({ launchId }) =>
      projections.recordRefused({
        launchId,
        findings: [customLaunchFinding('COMPILER_ERROR', '')],
        nonceReleased: false,
      }),
  },
  handoff_ready: {
    isObservation: false,
    call: async (row) =>
      projections.recordHandoff({ launchId: row.launchId, handoffSha256: await put(customLaunchHandoff(row)) }),
  },
  handoff_readable: { isObservation: false, call: ({ launchId }) => projections.recordAwaitingSignature({ launchId }) },
  wallet_blocked: {
    call: ({ launchId }, sequence) =>
      projections.recordWalletState({ launchId, reason: 'CONTROLLER_FUNDS_MISSING', sequence }),
  },
  wallet_unblocked: {
    call: ({ launchId }, sequence) => projections.recordWalletState({ launchId, reason: null, sequence }),
  },
  transaction_seen: {
    call: ({ launchId }, sequence) =>
      projections.recordSubmitted({ launchId, transactionHash: CUSTOM_LAUNCH_TRANSACTION, sequence }),
  },
  inclusion_agreed: {
    call: ({ launchId }, sequence) =>
      projections.recordFinality({
        launchId,
        finality: customLaunchFinality(launchId, 'included', seen(false, 'indeterminate')),
        sequence,
      }),
  },
  inclusion_gone: {
    call: ({ launchId }, sequence) =>
      projections.recordFinality({ launchId, finality: customLaunchFinality(launchId, 'pending'), sequence }),
  },
  posting_agreed: {
    call: ({ launchId }, sequence) =>
      projections.recordFinality({ launchId, finality: customLaunchFinality(launchId, 'posted'), sequence }),
  },
  posting_gone: {
    says: ['posting_gone', 'inclusion_agreed'],
    call: ({ launchId }, sequence) =>
      projections.recordFinality({ launchId, finality: customLaunchFinality(launchId, 'included'), sequence }),
  },
  // Proven finality overrides the order of observations.
  finality_proven: { isObservation: false, call: (row) => finalize(row) },
  revert_finalized: {
    call: ({ launchId }, sequence) => projections.recordFailed({ launchId, findings: reverted(), sequence }),
  },
  window_passed: {
    says: ['inclusion_gone', 'window_passed'],
    call: ({ launchId }, sequence) => projections.recordExpired({ launchId, sequence }),
  },
  exact_simulation_reverted: {
    isObservation: false,
    call: ({ launchId }) =>
      projections.recordFailed({
        launchId,
        findings: [customLaunchFinding('SIMULATION_REVERTED', '')],
        by: 'admission',
      }),
  },
};
const after = (status: CustomLaunchStatus, triggers: readonly CustomLaunchTrigger[]): CustomLaunchStatus =>
  triggers.reduce(nextCustomLaunchStatus, status);

describe('A custom launch', () => {
  it.each(CUSTOM_LAUNCH_TRIGGERS)(
    'moves from every status as the table of states defines, after %s',
    async (trigger) => {
      const { says = [trigger], call } = CALLS[trigger];
      for (const status of CUSTOM_LAUNCH_STATUSES) {
        const row = await insertCustomLaunch(database, status);
        const before = await rowOf(row.launchId);
        const reported = call(row, 5);
        // An ended launch stays: only a record that comes after its end is a contradiction.
        if (trigger === 'finality_proven' && ['admitting', 'action_required', 'failed'].includes(status))
          await expect(reported).rejects.toMatchObject({ code: 'PROJECTION_CONFLICT' });
        else await reported;
        const now = await rowOf(row.launchId);
        expect([trigger, status, now['status']]).toEqual([trigger, status, after(status, says)]);
        if (CUSTOM_LAUNCH_FINISHED_STATUSES.includes(status)) expect(now).toEqual(before);
      }
    },
  );

  it.each(CUSTOM_LAUNCH_TRIGGERS.filter((trigger) => CALLS[trigger].isObservation !== false))(
    'is not changed in any status by an older observation of %s',
    async (trigger) => {
      for (const status of CUSTOM_LAUNCH_STATUSES) {
        const row = await insertCustomLaunch(database, status, 9);
        const before = await rowOf(row.launchId);
        await CALLS[trigger].call(row, 8);
        expect(await rowOf(row.launchId)).toEqual(before);
      }
    },
  );

  it('never moves back by an observation without agreement, and moves forward by the report of one observer', async () => {
    for (const [status, transactions, then] of [
      ['ethereum_posted', false, 'ethereum_posted'],
      ['sequencer_soft_confirmed', true, 'sequencer_soft_confirmed'],
      ['awaiting_wallet_signature', true, 'submitted'],
    ] as const) {
      const { launchId } = await insertCustomLaunch(database, status);
      const finality = customLaunchFinality(launchId, 'pending', seen(transactions, 'indeterminate'));
      await projections.recordFinality({ launchId, finality, sequence: 1 });
      expect((await rowOf(launchId))['status']).toBe(then);
    }
  });

  it('passes every status, moves back by a reorganisation, and reaches its record', async () => {
    const row = await insertCustomLaunch(database);
    const { launchId } = row;
    const statuses: unknown[] = [];
    const note = async () => statuses.push((await rowOf(launchId))['status']);
    const observe = async (stage: 'pending' | 'included' | 'posted', sequence: number) => {
      await projections.recordFinality({ launchId, finality: customLaunchFinality(launchId, stage), sequence });
      await note();
    };
    await projections.recordAdmitting({ launchId, reason: 'AUTHORIZATION_CLOSED' });
    expect((await rowOf(launchId))['status_reason']).toBe('AUTHORIZATION_CLOSED');
    await projections.recordHandoff({ launchId, handoffSha256: await put(customLaunchHandoff(row)) });
    await note();
    expect([(await rowOf(launchId))['status_reason'], started.includes(launchId)]).toEqual([null, true]);
    await projections.recordAwaitingSignature({ launchId });
    await note();
    await observe('included', 1);
    await observe('posted', 2);
    await observe('included', 3);
    await observe('pending', 4);
    await observe('posted', 5);
    await finalize(row);
    await note();
    expect(statuses).toEqual([
      'authorized',
      'awaiting_wallet_signature',
      'sequencer_soft_confirmed',
      'ethereum_posted',
      'sequencer_soft_confirmed',
      'submitted',
      'ethereum_posted',
      'finalized',
    ]);
    const [published] = await runSql(
      database,
      'SELECT feed, onchain_launch_id, record FROM finalized_record WHERE launch_id = $1',
      [launchId],
    );
    const evidenceSha256 = await put(customLaunchEvidence(row));
    expect(published).toEqual({
      feed: 'custom-launch.v4',
      onchain_launch_id: row.onchainLaunchId,
      record: Buffer.from(canonicalizeJson(customLaunchRecord(row, evidenceSha256))).toString(),
    });
    expect(await rowOf(launchId)).toMatchObject({
      transaction_hash: CUSTOM_LAUNCH_TRANSACTION,
      evidence_sha256: evidenceSha256,
    });
    const ended = await rowOf(launchId);
    await finalize(row);
    expect(await rowOf(launchId)).toEqual(ended);
  });

  it('waits for its wallet for a reason that may change, and shows no reason once the wallet can act', async () => {
    const { launchId } = await insertCustomLaunch(database, 'awaiting_wallet_signature');
    const reported: unknown[] = [];
    for (const [index, reason] of [...WALLET_REASONS, null].entries()) {
      await projections.recordWalletState({ launchId, reason, sequence: index });
      const row = await rowOf(launchId);
      reported.push([row['status'], row['status_reason']]);
    }
    expect(reported).toEqual([
      ...WALLET_REASONS.map((reason) => ['wallet_action_required', reason]),
      ['awaiting_wallet_signature', null],
    ]);
    const before = await rowOf(launchId);
    await projections.recordWalletState({ launchId, reason: null, sequence: 9 });
    expect((await rowOf(launchId))['updated_at']).toEqual(before['updated_at']);
  });

  it('fails with the cause, the stage and the remediation', async () => {
    const { launchId } = await insertCustomLaunch(database, 'ethereum_posted');
    const evidenceSha256 = await put({ some: 'evidence' });
    await projections.recordFailed({ launchId, findings: reverted(), sequence: 1, evidenceSha256 });
    const row = await rowOf(launchId);
    expect(row).toMatchObject({ status: 'failed', status_reason: 'LAUNCH_REVERTED', evidence_sha256: evidenceSha256 });
    expect(customLaunchFailureSchema.parse(JSON.parse(String(row['failure'])))).toMatchObject({
      code: 'LAUNCH_REVERTED',
      stage: 'ethereum_posted',
      evidence: evidenceSha256,
      recovery: { action: 'correct_and_resubmit' },
    });
    const unused = await insertCustomLaunch(database, 'wallet_action_required');
    await projections.recordExpired({ launchId: unused.launchId, sequence: 1 });
    const failure = JSON.parse(String((await rowOf(unused.launchId))['failure'])) as unknown;
    expect(failure).toMatchObject({ code: 'PERMIT_EXPIRED', stage: 'wallet_action_required', evidence: null });
  });

  it.each([
    [
      'is about another launch at the router',
      'record: onchain.routerLaunchId',
      (record: ReturnType<typeof customLaunchRecord>) => ({
        onchain: { ...record.onchain, routerLaunchId: `0x${'0'.repeat(64)}` as const },
      }),
    ],
    ['is of no known form', 'schema: platformId', () => ({ platformId: 'another' as 'service' })],
  ])('has its record held and counted when it is finalized with one that %s', async (_name, reason, changeOf) => {
    const row = await insertCustomLaunch(database, 'ethereum_posted');
    await finalize(row, changeOf(customLaunchRecord(row, await put(customLaunchEvidence(row)))));
    expect((await rowOf(row.launchId))['status']).toBe('finalized');
    const held = await runSql(database, 'SELECT feed, reason FROM quarantined_record WHERE launch_id = $1', [
      row.launchId,
    ]);
    expect(held).toEqual([{ feed: 'custom-launch.v4', reason }]);
    expect(await runSql(database, 'SELECT 1 FROM finalized_record WHERE launch_id = $1', [row.launchId])).toEqual([]);
  });
});
