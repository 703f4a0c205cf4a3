import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MACHINE_CONTRACT_DIGESTS, type CustomLaunchFinalized } from '@launch/contracts/custom-launch';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  publishedIndex,
  type PublishedIndex,
} from '../../../../apps/api-gateway/src/fixtures/published-index.fixture.js';
import { startHarness, type Harness } from '../../../../apps/api-gateway/src/fixtures/gateway.harness.js';
import {
  insertCustomLaunch,
  customLaunchEvidence,
  customLaunchFinality,
  customLaunchRecord,
} from '../../../../apps/api-gateway/src/fixtures/custom-launch.fixture.js';
import { RELEASE_EXAMPLE } from '../../../../apps/api-gateway/src/core/gates/release.example.js';
import type { ReleaseState } from '../../../../apps/api-gateway/src/core/gates/custom-launch-release.js';
import { readFinalizedFeed } from './read-finalized-feed.js';

const RECORDS = 7;
const { bound } = RELEASE_EXAMPLE;
if (bound === null) throw new TypeError('the example has a release');
/** The example with the digest of the frozen contract that the gateway serves; it has another of its own. */
const RELEASE: ReleaseState = {
  ...RELEASE_EXAMPLE,
  bound: { ...bound, openApi: { ...bound.openApi, sha256: MACHINE_CONTRACT_DIGESTS['4.1'] } },
};

let index: PublishedIndex;
let unbound: Harness;
let gateway: Harness;
let release = RELEASE;
beforeAll(async () => {
  index = await publishedIndex();
  unbound = await startHarness({ indexDatabase: index.database });
  gateway = await startHarness({
    beside: unbound,
    indexDatabase: index.database,
    customLaunchRelease: { state: () => release, context: () => bound.context },
  });
});
afterAll(async () => {
  await gateway?.close();
  await unbound?.close();
  await index?.close();
});

async function finalized(change: Partial<CustomLaunchFinalized> = {}): Promise<string> {
  const row = await insertCustomLaunch(gateway.database, 'ethereum_posted');
  const { launchId } = row;
  const evidenceSha256 = await gateway.blobs.put(canonicalizeJson(customLaunchEvidence(row)));
  const recordSha256 = await gateway.blobs.put(canonicalizeJson(customLaunchRecord(row, evidenceSha256, change)));
  const finality = customLaunchFinality(launchId, 'ethereum_finalized');
  await gateway.projections.recordFinalized({ launchId, recordSha256, evidenceSha256, finality, sequence: 1 });
  return launchId;
}

/** The tests run in order: published records stay published. */
describe('of the gateway the reader', () => {
  it('has the whole feed over several pages, by the frozen contract that readiness binds', async () => {
    const launches: string[] = [];
    for (let count = 0; count < RECORDS; count += 1) launches.push(await finalized());
    const reading = await readFinalizedFeed({ origin: gateway.url, pageSize: 3 });
    if (reading.availability !== 'AVAILABLE') throw new Error(`${reading.reason}: ${reading.message}`);
    expect(reading.records.map(({ launchId }) => launchId)).toEqual(launches);
    expect(reading.contractSha256).toBe(MACHINE_CONTRACT_DIGESTS['4.1']);
  });

  it('has nothing while readiness binds other bytes than the gateway serves', async () => {
    release = RELEASE_EXAMPLE;
    const reading = await readFinalizedFeed({ origin: gateway.url });
    release = RELEASE;
    expect(reading).toMatchObject({ availability: 'UNAVAILABLE', reason: 'CONTRACT_BYTES_DIFFER' });
  });

  it('has nothing if no release is bound', async () => {
    const reading = await readFinalizedFeed({ origin: unbound.url });
    expect(reading).toMatchObject({ availability: 'UNAVAILABLE', reason: 'CONTRACT_UNBOUND' });
  });

  it('has nothing once one record is held back, although the others are served', async () => {
    await finalized({ platformId: 'another' as 'service' });
    const reading = await readFinalizedFeed({ origin: gateway.url, pageSize: 3 });
    expect(reading).toMatchObject({ availability: 'UNAVAILABLE', reason: 'RECORDS_QUARANTINED' });
    expect(reading).not.toHaveProperty('records');
  });
});
