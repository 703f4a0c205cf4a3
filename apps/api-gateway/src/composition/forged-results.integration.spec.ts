import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, type ActivityFunction } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { ethereumFeedInputs, gatewayInputs, planGatewayInputs } from '@launch/contracts/activities';
import { customLaunchFinding } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import type { SignedPoll, StatedHandoff } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { createPool, Registry } from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import type { LaunchRelayService } from '../core/launches/relay/launch-relay.service.js';
import { CustomLaunchProjectionRepository } from '../core/projections/custom-launch-projection.repository.js';
import { CustomLaunchPublicationService } from '../core/projections/custom-launch-publication.service.js';
import { FamilyRepository } from '../core/projections/family.repository.js';
import { projectionWork } from '../core/projections/projection.activities.js';
import { ProjectionService } from '../core/projections/projection.service.js';
import { StatedLaunchRepository } from '../core/projections/stated-launch.repository.js';
import { StatementVerifier } from '../core/projections/statement-verifier.js';
import { StoredDocuments } from '../core/projections/stored-documents.js';
import { VerifiedProjections } from '../core/projections/verified-projections.js';
import {
  customLaunchEvidence,
  customLaunchHandoff,
  customLaunchRecord,
  insertCustomLaunch,
  type InsertedCustomLaunch,
} from '../fixtures/custom-launch.fixture.js';
import { runSql } from '../fixtures/run-sql.js';
import {
  customLaunchPoll,
  SIGNERS,
  signedOutcome,
  signedPoll,
  signedRecord,
  STATEMENT_KEYS,
} from '../fixtures/signed-results.fixture.js';
import { CustomLaunchProjections } from '../products/custom-launch/domain/custom-launch.projections.js';
import { createGatewayActivities } from './gateway.activities.js';

let test: TestDatabase;
let database: GatewayDatabase;
let blobs: BlobStore;
let dir: string;
let functions: Record<string, ActivityFunction>;

/** The activities of the process, on a database and a blob store, for launches of one family. */
beforeAll(async () => {
  test = await createTestDatabase('api-gateway');
  database = createGatewayDatabase(createPool({ connectionString: test.url, applicationName: 'forged-results' }));
  dir = await mkdtemp(path.join(tmpdir(), 'forged-results-'));
  blobs = createFileBlobStore({ dir });
  const projections = new ProjectionService(new FamilyRepository(database));
  const documents = new StoredDocuments(blobs);
  const relay = { startSoon: () => undefined } as unknown as LaunchRelayService;
  new CustomLaunchProjections(
    projections,
    new CustomLaunchProjectionRepository(database),
    new CustomLaunchPublicationService(documents),
    relay,
    documents,
  ).onModuleInit();
  const gates = { authorizationGate: async () => ({ open: true }) };
  const verified = new VerifiedProjections({
    projections,
    rows: new StatedLaunchRepository(database),
    statements: new StatementVerifier(STATEMENT_KEYS, new Registry()),
    gates,
    clock: { now: () => 1_000_000 } as never,
  });
  functions = activitiesOf({ ...gates, ...projectionWork(verified) });
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
  await rm(dir, { recursive: true, force: true });
});

/** Hosts the projections beside the activities that this suite does not call. */
function activitiesOf(work: object): Record<string, ActivityFunction> {
  const names = Object.keys({ ...gatewayInputs, ...planGatewayInputs, ...ethereumFeedInputs });
  const uncalled = Object.fromEntries(names.map((name) => [name, () => Promise.reject(new Error(name))]));
  return createGatewayActivities({ ...uncalled, ...work } as never, () => undefined).functions as never;
}

let row: InsertedCustomLaunch;
let launch: StatedHandoff;
const put = (document: object): Promise<Sha256Digest> => blobs.put(canonicalizeJson(document));
/** Calls an activity as a task that any workflow of the namespace scheduled. */
const call = (name: string, input: object): Promise<unknown> =>
  new MockActivityEnvironment().run(functions[name] as ActivityFunction<[unknown]>, JSON.parse(JSON.stringify(input)));
const shown = async (): Promise<Record<string, unknown>> =>
  (await runSql<Record<string, unknown>>(database, 'SELECT * FROM launch WHERE launch_id = $1', [row.launchId]))[0]!;
/** Expects a call to fail for good by this code, and to change nothing. */
async function changesNothing(name: string, input: object, code: string): Promise<void> {
  const before = await shown();
  const failure: unknown = await call(name, input).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: code, nonRetryable: true });
  expect(await shown()).toEqual(before);
  expect(await runSql(database, 'SELECT 1 FROM finalized_record WHERE launch_id = $1', [row.launchId])).toEqual([]);
}

describe('A forged, altered, swapped or replayed result', () => {
  beforeEach(async () => {
    row = await insertCustomLaunch(database);
    launch = { ...row, handoffSha256: await put(customLaunchHandoff(row)) } as StatedHandoff;
  });
  const handOff = () =>
    call('recordHandoff', {
      launchId: row.launchId,
      handoffSha256: launch.handoffSha256,
      signed: signedOutcome(launch, { kind: 'handed-off', handoffSha256: launch.handoffSha256 }),
    });

  it('of admission publishes no hand-off and ends no launch', async () => {
    const { launchId } = row;
    // Every service can store a hand-off that agrees with the row and sends other calldata.
    const forged = await put(
      customLaunchHandoff(row, {
        walletTransaction: { from: row.controller, to: row.router, chainId: '4663', value: '9', data: '0xffff' },
      }),
    );
    const outcome = { kind: 'handed-off', handoffSha256: forged } as const;
    const honest = signedOutcome(launch, { kind: 'handed-off', handoffSha256: launch.handoffSha256 });
    for (const signed of [
      undefined,
      honest,
      signedOutcome(launch, outcome, SIGNERS.foreign),
      signedOutcome(launch, outcome, SIGNERS.finality),
    ])
      await changesNothing('recordHandoff', { launchId, handoffSha256: forged, signed }, 'STATEMENT_UNVERIFIED');

    const findings = [customLaunchFinding('SIMULATION_REVERTED', '')];
    await changesNothing('recordFailed', { launchId, by: 'admission', findings }, 'STATEMENT_UNVERIFIED');
    await changesNothing('recordExpired', { launchId, by: 'admission' }, 'WINDOW_OPEN');
    await changesNothing('recordAdmitting', { launchId, reason: 'ANY_TEXT' }, 'STATEMENT_UNVERIFIED');

    await handOff();
    expect((await shown())['status']).toBe('authorized');
  });

  it('of the finality worker moves no launch and publishes no record', async () => {
    const { launchId } = row;
    await handOff();
    const evidenceSha256 = await put(customLaunchEvidence(row));
    const recordSha256 = await put(customLaunchRecord(row, evidenceSha256));
    const finalized = customLaunchPoll('finalized', 3, evidenceSha256);
    const record = { recordSha256, evidenceSha256 };
    const another = { ...launch, launchId: '3f2b8a4e-0000-4000-8000-000000000009' };
    const publish = (observed: SignedPoll, signed = signedRecord(launch, record)) => ({
      launchId,
      observed,
      recordSha256,
      signed,
    });

    await changesNothing(
      'recordFinalized',
      publish(signedPoll(launch, finalized, SIGNERS.foreign)),
      'STATEMENT_UNVERIFIED',
    );
    await changesNothing('recordFinalized', publish(signedPoll(another, finalized)), 'STATEMENT_UNVERIFIED');
    const real = signedPoll(launch, finalized);
    await changesNothing('recordFinalized', publish(real, signedRecord(another, record)), 'STATEMENT_UNVERIFIED');
    await changesNothing(
      'recordFinalized',
      publish(real, signedRecord(launch, record, SIGNERS.admission)),
      'STATEMENT_UNVERIFIED',
    );
    const pending = signedPoll(launch, customLaunchPoll('pending', 1));
    await changesNothing('recordFinalized', publish({ ...real, signed: pending.signed }), 'STATEMENT_UNVERIFIED');

    const included = signedPoll(launch, customLaunchPoll('included', 2));
    await call('recordFinality', { launchId, observed: included });
    expect((await shown())['status']).toBe('sequencer_soft_confirmed');
    await changesNothing('recordFinality', { launchId, observed: pending }, 'STATEMENT_OUTDATED');
    await changesNothing(
      'recordExpired',
      { launchId, observed: { ...pending, memory: { ...pending.memory, stage: 'expired', polls: 9 } } },
      'STATEMENT_UNVERIFIED',
    );

    await call('recordFinalized', publish(real));
    expect((await shown())['status']).toBe('finalized');
    expect(await runSql(database, 'SELECT 1 FROM finalized_record WHERE launch_id = $1', [launchId])).toHaveLength(1);
    // A repetition of Temporal is answered like the first call.
    await call('recordFinalized', publish(real));
  });
});
