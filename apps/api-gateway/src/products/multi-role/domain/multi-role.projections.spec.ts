import { describe, expect, it } from '@jest/globals';
import { DERIVED_CONTRACT_FINALITY_V3, type LaunchResource } from '@launch/contracts/multi-role';
import type { StoredLaunch } from '../../../core/launches/stored-launch.js';
import { StoredDocuments } from '../../../core/projections/stored-documents.js';
import { memoryBlobs } from '../../../fixtures/memory-blobs.js';
import {
  finalizedFinality,
  finalizedFinalityV3,
  includedFinality,
  LAUNCH_TRANSACTION,
  testHandoff,
  testRecord,
  testRecordV3,
} from '../../../fixtures/test-documents.js';
import { resourceOf, storedLaunch } from '../../../fixtures/test-launch.js';
import { MultiRoleProjections, type ProjectedRows } from './multi-role.projections.js';

const ZERO = `0x${'0'.repeat(64)}` as const;

/** Returns the projections of one launch; its rows record the writes. */
function projectionsOf(row: StoredLaunch, publication: 'published' | 'conflict' = 'published') {
  const written: string[] = [];
  const started: string[] = [];
  const write = (name: string) => async (): Promise<void> => void written.push(name);
  const rows: ProjectedRows = {
    identityOf: async (launchId) => (launchId === row.launchId ? row : null),
    admitting: write('admitting'),
    assessed: write('assessed'),
    refused: write('refused'),
    handedOff: write('handedOff'),
    awaitingSignature: write('awaitingSignature'),
    submitted: write('submitted'),
    finality: write('finality'),
    failed: write('failed'),
    expired: write('expired'),
    publish: async () => {
      written.push('publish');
      return publication as Awaited<ReturnType<ProjectedRows['publish']>>;
    },
  };
  const blobs = memoryBlobs();
  const projections = new MultiRoleProjections(
    { register: () => undefined },
    rows,
    { startSoon: (launchId) => void started.push(launchId) },
    new StoredDocuments(blobs),
  );
  const { launchId } = row;
  const handOff = (document: object) =>
    projections.recordHandoff({ launchId, handoffSha256: blobs.putDocument(document) });
  const finalize = (document: object, evidence?: object, finality = finalizedFinality(launchId)) =>
    projections.recordFinalized({
      launchId,
      recordSha256: blobs.putDocument(document),
      ...(evidence === undefined ? {} : { evidenceSha256: blobs.putDocument(evidence) }),
      finality,
    });
  return { projections, written, started, handOff, finalize, launch: resourceOf(row), launchId };
}

/** The part of a bundle that says which launch it is of. */
const bundleOf = (launch: LaunchResource, more: object = {}, transactionHash = LAUNCH_TRANSACTION) => ({
  schemaVersion: 'service.multi-role-finality-evidence.v2',
  launch: {
    launchId: launch.launchId,
    onchainLaunchId: launch.onchainLaunchId,
    requestSha256: launch.requestSha256,
    requestHash: launch.requestHash,
    contextHash: launch.contextHash,
    artifactHash: launch.artifactHash,
    permitDigest: `0x${'4'.repeat(64)}`,
    handoffSha256: `sha256:${'5'.repeat(64)}` as const,
    ...more,
  },
  outcome: 'finalized',
  conclusion: { transactionHash },
});
const mismatch = { code: 'PROJECTION_MISMATCH', retryable: false };

describe('A hand-off of a multi-role launch', () => {
  it('that agrees with the reservation is stored, and starts the observation', async () => {
    const { handOff, written, started, launch, launchId } = projectionsOf(storedLaunch());
    await handOff(testHandoff(launch));
    expect([written, started]).toEqual([['handedOff'], [launchId]]);
  });

  it.each([
    ['another request', { requestHash: ZERO }],
    ['another artifact', { artifactHash: ZERO }],
    ['another context', { contextHash: ZERO }],
    [
      'another sender',
      {
        walletTransaction: {
          from: `0x${'0'.repeat(40)}`,
          to: `0x${'2'.repeat(40)}`,
          chainId: '4663',
          value: '0',
          data: '0x',
        },
      },
    ],
  ])('about %s is refused and moves nothing', async (_other, change) => {
    const { handOff, written, started, launch } = projectionsOf(storedLaunch());
    await expect(handOff({ ...testHandoff(launch), ...change })).rejects.toMatchObject(mismatch);
    expect([written, started]).toEqual([[], []]);
  });

  it('is refused for an unknown launch', async () => {
    const { projections, written } = projectionsOf(storedLaunch());
    await expect(
      projections.recordFinality({ launchId: 'unknown', finality: includedFinality('unknown') }),
    ).rejects.toMatchObject({ code: 'LAUNCH_UNKNOWN' });
    expect(written).toEqual([]);
  });
});

describe('The end of a multi-role launch', () => {
  it('is published with its record and its evidence', async () => {
    const { finalize, written, launch } = projectionsOf(storedLaunch());
    await finalize(testRecord(launch), bundleOf(launch));
    expect(written).toEqual(['publish']);
  });

  it('is shown as finalized only with the record of the launch', async () => {
    const { projections, written, launchId } = projectionsOf(storedLaunch());
    await expect(projections.recordFinality({ launchId, finality: finalizedFinality(launchId) })).rejects.toMatchObject(
      mismatch,
    );
    expect(written).toEqual([]);
  });

  it('is refused with a record about another launch', async () => {
    const { finalize, written } = projectionsOf(storedLaunch());
    await expect(finalize(testRecord(resourceOf(storedLaunch())))).rejects.toMatchObject(mismatch);
    expect(written).toEqual([]);
  });

  it('is refused with a record that contradicts the published one', async () => {
    const { finalize, launch } = projectionsOf(storedLaunch(), 'conflict');
    await expect(finalize(testRecord(launch))).rejects.toMatchObject({ code: 'PROJECTION_CONFLICT' });
  });

  it.each<[string, (launch: LaunchResource) => object]>([
    ['another launch', (launch) => bundleOf(launch, { launchId: '3f2b8a4e-0000-4000-8000-000000000009' })],
    ['another request', (launch) => bundleOf(launch, { requestHash: ZERO })],
    ['another context', (launch) => bundleOf(launch, { contextHash: ZERO })],
    ['another id on chain', (launch) => bundleOf(launch, { onchainLaunchId: ZERO })],
    ['another transaction', (launch) => bundleOf(launch, {}, ZERO)],
  ])('with evidence of %s is refused and publishes nothing', async (_other, evidence) => {
    const { finalize, written, launch } = projectionsOf(storedLaunch());
    await expect(finalize(testRecord(launch), evidence(launch))).rejects.toMatchObject(mismatch);
    expect(written).toEqual([]);
  });

  it('is refused with evidence of another kind, and publishes nothing', async () => {
    const { finalize, written, launch } = projectionsOf(storedLaunch());
    const invalid = { code: 'DOCUMENT_INVALID' };
    await expect(finalize(testRecord(launch), { ...bundleOf(launch), outcome: 'expired' })).rejects.toMatchObject(
      invalid,
    );
    await expect(finalize(testRecord(launch), testRecord(launch))).rejects.toMatchObject(invalid);
    expect(written).toEqual([]);
  });
});

describe('The projections of one finality generation', () => {
  it('are refused for launches of the other', async () => {
    const [old, recent] = [projectionsOf(storedLaunch()), projectionsOf(storedLaunch({}, 'v3'))];
    expect(recent.launch.context.profile.derivedContractFinality).toBe(DERIVED_CONTRACT_FINALITY_V3);
    const { launchId } = recent;
    await expect(
      recent.projections.recordFinality({ launchId, finality: includedFinality(launchId) }),
    ).rejects.toMatchObject(mismatch);
    const end = (document: object, finality: unknown) =>
      recent.finalize(document, undefined, finality as ReturnType<typeof finalizedFinality>);
    await expect(end(testRecord(recent.launch), finalizedFinalityV3(recent.launch))).rejects.toMatchObject(mismatch);
    const foreign = { ...finalizedFinalityV3(recent.launch), onchainLaunchId: ZERO };
    await expect(end(testRecordV3(recent.launch), foreign)).rejects.toMatchObject(mismatch);
    await expect(old.finalize(testRecordV3(old.launch))).rejects.toMatchObject(mismatch);
    expect([old.written, recent.written]).toEqual([[], []]);
    await end(testRecordV3(recent.launch), finalizedFinalityV3(recent.launch));
    expect(recent.written).toEqual(['publish']);
  });
});
