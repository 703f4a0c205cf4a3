import { describe, expect, it } from '@jest/globals';
import { CustomLaunchPublicationService } from '../../../core/projections/custom-launch-publication.service.js';
import { StoredDocuments } from '../../../core/projections/stored-documents.js';
import { customLaunchFinality, customLaunchHandoff } from '../../../fixtures/custom-launch.fixture.js';
import { memoryBlobs } from '../../../fixtures/memory-blobs.js';
import { storedCustomLaunch } from '../../../fixtures/test-custom-launch.js';
import { CustomLaunchProjections, type CustomLaunchRows } from './custom-launch.projections.js';

const ZERO = `0x${'0'.repeat(64)}` as const;

/** Returns the projections of one launch; its rows record the writes. */
function projectionsOf() {
  const row = storedCustomLaunch({ validAfter: '1000', deadline: '2000' });
  const { launchId } = row;
  const written: string[] = [];
  const started: string[] = [];
  const write = (name: string) => async (): Promise<void> => void written.push(name);
  const rows: CustomLaunchRows = {
    identityOf: async (id) => (id === launchId ? row : null),
    waits: write('waits'),
    found: write('found'),
    move: write('move'),
    wallet: write('wallet'),
    observed: write('observed'),
    refused: write('refused'),
    failed: write('failed'),
    finalize: async () => true,
  };
  const blobs = memoryBlobs();
  const documents = new StoredDocuments(blobs);
  const projections = new CustomLaunchProjections(
    { register: () => undefined },
    rows,
    new CustomLaunchPublicationService(documents),
    { startSoon: (id) => void started.push(id) },
    documents,
  );
  const handOff = (change: Parameters<typeof customLaunchHandoff>[1] = {}) =>
    projections.recordHandoff({ launchId, handoffSha256: blobs.putDocument(customLaunchHandoff(row, change)) });
  return { projections, launchId, written, started, handOff };
}
const mismatch = { code: 'PROJECTION_MISMATCH', retryable: false };

describe('A hand-off of a custom launch', () => {
  it('that agrees with the reservation is stored, and starts the observation', async () => {
    const { handOff, written, started, launchId } = projectionsOf();
    await handOff();
    expect([written, started]).toEqual([['move'], [launchId]]);
  });

  it.each([
    ['another request', { requestHash: ZERO }],
    ['another artifact', { artifactHash: ZERO }],
    ['another window', { deadline: '2001' }],
    ['another image', { metadata: { name: 'C', symbol: 'C', imageSha256: `sha256:${'0'.repeat(64)}` as const } }],
  ])('about %s is refused and moves nothing', async (_other, change) => {
    const { handOff, written, started } = projectionsOf();
    await expect(handOff(change)).rejects.toMatchObject(mismatch);
    expect([written, started]).toEqual([[], []]);
  });
});

describe('An observation of a custom launch', () => {
  it('is refused without its place in the order of observations', async () => {
    const { projections, launchId, written } = projectionsOf();
    await expect(
      projections.recordFinality({ launchId, finality: customLaunchFinality(launchId, 'posted') }),
    ).rejects.toMatchObject({ ...mismatch, field: 'sequence' });
    expect(written).toEqual([]);
  });

  it('is refused when it is about another launch', async () => {
    const { projections, launchId, written } = projectionsOf();
    const finality = customLaunchFinality('00000000-0000-4000-8000-000000000000', 'posted');
    await expect(projections.recordFinality({ launchId, finality, sequence: 1 })).rejects.toMatchObject(mismatch);
    expect(written).toEqual([]);
  });

  it('that proves finality is refused without the record of the launch', async () => {
    const { projections, launchId, written } = projectionsOf();
    const finality = customLaunchFinality(launchId, 'ethereum_finalized');
    await expect(projections.recordFinality({ launchId, finality, sequence: 1 })).rejects.toMatchObject(mismatch);
    expect(written).toEqual([]);
  });
});
