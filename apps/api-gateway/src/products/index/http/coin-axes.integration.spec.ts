import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chainExploreSchema,
  chainPresentationSchema,
  CUSTOM_LABEL,
  EXPLORE_PATH,
  INDEXED_LAUNCHES_PATH,
  indexedLaunchSchema,
  PRESENTATION_PATH,
  type CoinAxes,
  type LaunchRecord,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call } from '../../../fixtures/http.client.js';
import {
  insertCustomLaunch,
  customLaunchEvidence,
  customLaunchFinality,
  customLaunchRecord,
} from '../../../fixtures/custom-launch.fixture.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { LaunchGatesRepository } from '../../../core/gates/launch-gates.repository.js';
import { UNBOUND_RELEASE } from '../../../core/gates/custom-launch-release.js';
import {
  account,
  publishedIndex,
  sourceDocument,
  word,
  type PublishedIndex,
} from '../../../fixtures/published-index.fixture.js';

const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf01) });
const ROUTER = sourceDocument();
const ETHEREUM = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xf02) });
const UNSTAMPED = { launchKind: null, routerAddress: null, stampHash: null };

/** The axes of a coin of this service's own launch while the gates are closed. */
const OWN: CoinAxes = {
  provenance: 'STAMPED',
  feedAvailability: 'AVAILABLE',
  finality: 'FINALIZED',
  sourceVerification: 'EXACT_MATCH',
  writeActivation: 'INACTIVE',
  feeBehaviour: 'UNVERIFIED',
  security: 'UNVERIFIED',
  marketSupport: 'UNVERIFIED',
  thirdPartyIndexing: 'UNVERIFIED',
};

let index: PublishedIndex;
let gateway: Harness;
let own: LaunchRecord;
let another: LaunchRecord;
let native: LaunchRecord;
let onEthereum: LaunchRecord;

const put = (document: object) => gateway.blobs.put(canonicalizeJson(document));
/** A finalized custom launch; its record is held when `platformId` differs. @returns its id at the router */
async function launched(platformId = 'service'): Promise<`0x${string}`> {
  const row = await insertCustomLaunch(gateway.database, 'ethereum_posted');
  const { launchId } = row;
  const evidenceSha256 = await put(customLaunchEvidence(row));
  const recordSha256 = await put(customLaunchRecord(row, evidenceSha256, { platformId: platformId as 'service' }));
  const finality = customLaunchFinality(launchId, 'ethereum_finalized');
  await gateway.projections.recordFinalized({ launchId, recordSha256, evidenceSha256, finality, sequence: 1 });
  return row.onchainLaunchId as `0x${string}`;
}
async function assessed({ chainId, tokenAddress }: LaunchRecord) {
  const answer = await call(`${gateway.url}${INDEXED_LAUNCHES_PATH}/${chainId}/${tokenAddress}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  const { axes, label } = indexedLaunchSchema.parse(answer.json);
  return { axes, label };
}
async function presented({ chainId, tokenAddress }: LaunchRecord) {
  const answer = await call(`${gateway.url}${PRESENTATION_PATH}?token=${tokenAddress}&chainId=${chainId}`);
  const { axes, label } = chainPresentationSchema.parse(answer.json);
  return { axes, label };
}
/** Adds a log of the router that cannot be admitted, because its coin has a row of another source. */
async function takenIdentity(log: number, token: string): Promise<readonly unknown[]> {
  const digest = await index.source(ROUTER);
  const key = [digest, word(1), word(2), log];
  await index.write(
    `INSERT INTO quarantine (release_digest, block_hash, transaction_hash, log_index, chain_id, block_number, transaction_index, finalized, raw_log)
     VALUES ($1, $2, $3, $4, 4663, 50469400, 0, true, '{}')`,
    key,
  );
  await index.write(
    `INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail, token_address)
     VALUES ($1, $2, $3, $4, 1, 'fail', 'IDENTITY_ALREADY_TAKEN', 'its token has a row', $5)`,
    [...key, token],
  );
  return key;
}
const dismiss = (key: readonly unknown[]): Promise<void> =>
  index.write(
    `INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, detail)
     VALUES ($1, $2, $3, $4, 2, 'dismissed', 'a duplicate')`,
    key,
  );

beforeAll(async () => {
  index = await publishedIndex();
  for (const source of [NATIVE, ROUTER, ETHEREUM]) await index.source(source);
  gateway = await startHarness({
    indexDatabase: index.database,
    customLaunchRelease: { ...UNBOUND_RELEASE, state: () => RELEASE_EXAMPLE },
  });
  own = await index.launch(ROUTER, 1, { launchId: await launched() });
  another = await index.launch(ROUTER, 2);
  native = await index.launch(NATIVE, 3, UNSTAMPED);
  onEthereum = await index.launch(ETHEREUM, 4, { chainId: 1 });
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});

/** Runs in order, since finalized launches stay. */
describe('the axes of an indexed coin', () => {
  it('all hold for a launch whose record is in the feed, and every view shows its label', async () => {
    const whole = { axes: OWN, label: CUSTOM_LABEL };
    expect([await assessed(own), await presented(own)]).toEqual([whole, whole]);
    const { items } = chainExploreSchema.parse((await call(`${gateway.url}${EXPLORE_PATH}`)).json);
    const labels = Object.fromEntries(items.map(({ tokenAddress, label }) => [tokenAddress.toLowerCase(), label]));
    expect(labels).toEqual({
      [own.tokenAddress]: CUSTOM_LABEL,
      [another.tokenAddress]: null,
      [native.tokenAddress]: null,
      [onEthereum.tokenAddress]: null,
    });
  });

  it('say of a stamped coin without a record here that its source is unverified', async () => {
    expect(await assessed(another)).toEqual({ axes: { ...OWN, sourceVerification: 'UNVERIFIED' }, label: null });
  });

  it('say that a provisional coin is not final', async () => {
    const early = await index.launch(ROUTER, 5, {}, { stage: 'ethereum_posted' });
    const axes = { ...OWN, finality: 'INDETERMINATE', sourceVerification: 'UNVERIFIED' };
    expect(await presented(early)).toEqual({ axes, label: null });
  });

  it('say that a coin of Ethereum has a feed only where that feed is ready', async () => {
    const axes: CoinAxes = { ...OWN, sourceVerification: 'UNVERIFIED' };
    expect((await assessed(onEthereum)).axes).toEqual({ ...axes, feedAvailability: 'UNAVAILABLE' });
    await gateway.ethereumFeed.publishEthereumLaunches();
    expect(await assessed(onEthereum)).toEqual({ axes, label: null });
  });

  it('say that a coin has no stamp only where every router was recently read past it without a gap', async () => {
    const provenance = async (coin = native) => (await assessed(coin)).axes.provenance;
    expect(await provenance()).toBe('NOT_STAMPED');
    await index.source(ROUTER, { checkpoint: native.blockNumber });
    expect(await provenance()).toBe('NOT_STAMPED');
    await index.source(ROUTER, { checkpoint: String(BigInt(native.blockNumber) - 1n) });
    expect(await provenance()).toBe('INDETERMINATE');
    await index.source(ROUTER, { checkpointAge: 300 });
    expect(await provenance()).toBe('INDETERMINATE');
    expect(await provenance(own)).toBe('STAMPED');
    await index.source(ROUTER, { state: 'stopped' });
    expect(await provenance()).toBe('INDETERMINATE');
    const multiRole = sourceDocument({ sourceVersion: 'custom-multi-role-v2', address: account(0xf0a) });
    await index.source(multiRole, { state: 'starting', checkpointAge: null });
    await index.source(ROUTER);
    expect(await provenance()).toBe('INDETERMINATE');
    await index.source(multiRole);
    expect(await provenance()).toBe('NOT_STAMPED');
    await takenIdentity(3, another.tokenAddress);
    expect(await provenance()).toBe('NOT_STAMPED');
    const claim = await takenIdentity(4, native.tokenAddress);
    expect(await provenance()).toBe('INDETERMINATE');
    await dismiss(claim);
    expect(await provenance()).toBe('NOT_STAMPED');
  });

  it('say nothing about a coin from a held block or transaction, and deny no stamp during a hold', async () => {
    const { blockNumber: block, transactionHash: transaction } = own;
    const unknown: CoinAxes = { ...OWN, provenance: 'INDETERMINATE', finality: 'INDETERMINATE' };
    for (const place of [{ block }, { block, transaction }]) {
      const release = await index.hold(ROUTER, place);
      expect([await assessed(own), await presented(own)]).toEqual(Array(2).fill({ axes: unknown, label: null }));
      const { items } = chainExploreSchema.parse((await call(`${gateway.url}${EXPLORE_PATH}`)).json);
      expect(items.find(({ tokenAddress }) => tokenAddress.toLowerCase() === own.tokenAddress)?.label).toBeNull();
      expect((await assessed(another)).axes).toMatchObject({ provenance: 'STAMPED', finality: 'FINALIZED' });
      expect((await assessed(native)).axes.provenance).toBe('INDETERMINATE');
      await release();
      expect(await assessed(own)).toEqual({ axes: OWN, label: CUSTOM_LABEL });
      expect((await assessed(native)).axes.provenance).toBe('NOT_STAMPED');
    }
  });

  it('say that new launches are accepted while each gate is open', async () => {
    const gates = new LaunchGatesRepository(gateway.database);
    const set = (gate: 'publicWrites' | 'publicAuthorization' | 'releaseReady', isOpen: boolean) =>
      gates.set({ gates: [gate], isOpen, setBy: 'test' });
    for (const gate of ['publicWrites', 'publicAuthorization', 'releaseReady'] as const) await set(gate, true);
    const becomes = async (writeActivation: string) => {
      const until = Date.now() + 10_000;
      for (;;) {
        const found = await assessed(own);
        expect(found.label).toBe(CUSTOM_LABEL);
        if (found.axes.writeActivation === writeActivation || Date.now() > until) return found.axes;
        await delay(100);
      }
    };
    expect(await becomes('ACTIVE')).toEqual({ ...OWN, writeActivation: 'ACTIVE' });
    await set('publicAuthorization', false);
    expect(await becomes('INACTIVE')).toEqual(OWN);
  });

  it('remove the label from every coin while a record is held, and leave the source an exact match', async () => {
    await launched('another');
    const axes: CoinAxes = { ...OWN, feedAvailability: 'UNAVAILABLE' };
    expect(await assessed(own)).toEqual({ axes, label: null });
    expect(await presented(own)).toEqual({ axes, label: null });
  });
});
