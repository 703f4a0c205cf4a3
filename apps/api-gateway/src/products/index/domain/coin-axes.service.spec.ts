import { beforeEach, describe, expect, it } from '@jest/globals';
import { CUSTOM_LABEL, type CoinAxes, type LaunchRecord, type PublishedLaunch } from '@launch/contracts/index';
import type { FeedCounters } from '../../../core/feeds/feed.repository.js';
import type { GatesReading } from '../../../core/gates/launch-gates.service.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { memoryIndex, type MemoryIndex } from '../../../fixtures/memory-index.js';
import { account, sourceDocument } from '../../../fixtures/published-rows.js';
import { CoinAxesService } from './coin-axes.service.js';
import { CoinLabelService } from './coin-label.service.js';

const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf01) });
const ROUTER = sourceDocument();
const ETHEREUM = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xf02) });
const MULTI_ROLE = sourceDocument({ sourceVersion: 'custom-multi-role-v2', address: account(0xf0a) });
const UNSTAMPED: Partial<LaunchRecord> = { launchKind: null, routerAddress: null, stampHash: null };
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
const ELSEWHERE: CoinAxes = { ...OWN, sourceVerification: 'UNVERIFIED' };
const CLOSED: GatesReading = {
  gates: { publicAuthorization: false, publicWrites: false, releaseReady: false },
  release: RELEASE_EXAMPLE,
  reasonCodes: ['PUBLIC_WRITES_CLOSED'],
};
const OPEN: GatesReading = {
  gates: { publicAuthorization: true, publicWrites: true, releaseReady: true },
  release: RELEASE_EXAMPLE,
  reasonCodes: [],
};
const COMPLETE: FeedCounters = { source: 1, published: 1, quarantined: 0, asOf: new Date(0) };

let index: MemoryIndex;
let counters: FeedCounters;
let isEthereumReady: boolean;
let reading: GatesReading;
/** The identifiers at the router of the launches in the feed. */
let published: Set<string>;
let labels: CoinLabelService;
let own: PublishedLaunch;
let another: PublishedLaunch;
let native: PublishedLaunch;
let onEthereum: PublishedLaunch;
beforeEach(() => {
  index = memoryIndex();
  for (const source of [NATIVE, ROUTER, ETHEREUM]) index.source(source);
  own = index.launch(ROUTER, 1);
  another = index.launch(ROUTER, 2);
  native = index.launch(NATIVE, 3, UNSTAMPED);
  onEthereum = index.launch(ETHEREUM, 4, { launchId: own.record.launchId });
  counters = COMPLETE;
  isEthereumReady = true;
  reading = CLOSED;
  published = new Set([own.record.launchId!]);
  labels = new CoinLabelService(
    {
      customLaunchCounters: async () => counters,
      published: async (_feed, ids) => new Set(ids.filter((id) => published.has(id))),
    },
    index.rows,
  );
});

async function assessed(row: PublishedLaunch) {
  const service = new CoinAxesService(
    index.rows,
    index.state,
    labels,
    { isReady: async () => isEthereumReady },
    { read: async () => reading },
  );
  return service.assess(row, await index.rows.sources());
}
const provenanceOf = async (row: PublishedLaunch) => (await assessed(row)).axes.provenance;

describe('The axes of an indexed coin', () => {
  it('all hold for a launch whose record is in the feed, and its label is shown', async () => {
    expect(await assessed(own)).toEqual({ axes: OWN, label: CUSTOM_LABEL });
  });

  it('say of a stamped coin without a record here that its source is unverified', async () => {
    expect(await assessed(another)).toEqual({ axes: ELSEWHERE, label: null });
  });

  it('say that a provisional coin is not final, and compare it with no record', async () => {
    const early = index.launch(ROUTER, 5, { launchId: own.record.launchId }, { stage: 'ethereum_posted' });
    expect(await assessed(early)).toEqual({ axes: { ...ELSEWHERE, finality: 'INDETERMINATE' }, label: null });
  });

  it('say that a coin of Ethereum has a feed only where that feed is ready', async () => {
    expect(await assessed(onEthereum)).toEqual({ axes: ELSEWHERE, label: null });
    isEthereumReady = false;
    expect((await assessed(onEthereum)).axes).toEqual({ ...ELSEWHERE, feedAvailability: 'UNAVAILABLE' });
  });

  it.each<[string, FeedCounters]>([
    ['a record is held', { source: 2, published: 1, quarantined: 1, asOf: new Date(0) }],
    ['a record is not published yet', { source: 2, published: 1, quarantined: 0, asOf: new Date(0) }],
  ])('remove the label while %s, and leave the source an exact match', async (_what, counted) => {
    counters = counted;
    expect(await assessed(own)).toEqual({ axes: { ...OWN, feedAvailability: 'UNAVAILABLE' }, label: null });
    expect(await labels.labelsOf([own])).toEqual([null]);
  });

  it('say nothing about a coin that a hold covers', async () => {
    index.held.add(own.record.tokenAddress);
    const axes: CoinAxes = { ...OWN, provenance: 'INDETERMINATE', finality: 'INDETERMINATE' };
    expect(await assessed(own)).toEqual({ axes, label: null });
    expect((await assessed(another)).axes).toMatchObject({ provenance: 'STAMPED', finality: 'FINALIZED' });
  });

  it('say that new launches are accepted while every gate is open and readiness agrees', async () => {
    reading = OPEN;
    expect(await assessed(own)).toEqual({ axes: { ...OWN, writeActivation: 'ACTIVE' }, label: CUSTOM_LABEL });
    for (const gate of ['publicAuthorization', 'publicWrites', 'releaseReady'] as const) {
      reading = { ...OPEN, gates: { ...OPEN.gates, [gate]: false }, reasonCodes: ['CLOSED'] };
      expect((await assessed(own)).axes).toEqual(OWN);
    }
    reading = { ...OPEN, reasonCodes: ['PRICE_FEED_CODE_MISMATCH'] };
    expect((await assessed(own)).axes.writeActivation).toBe('UNAVAILABLE');
  });
});

describe('A coin without a stamp', () => {
  const before = () => String(BigInt(native.record.blockNumber) - 1n);

  it('has none where every router was recently read past it without a gap', async () => {
    index.source(MULTI_ROLE);
    expect(await provenanceOf(native)).toBe('NOT_STAMPED');
    index.source(ROUTER, { checkpoint: native.record.blockNumber });
    expect(await provenanceOf(native)).toBe('NOT_STAMPED');
    // Routers of the other chain say nothing about it.
    index.source(ETHEREUM, { state: 'stopped' });
    expect(await provenanceOf(native)).toBe('NOT_STAMPED');
  });

  it.each<[string, () => void]>([
    ['was read only before it', () => index.source(ROUTER, { checkpoint: before() })],
    ['was read five minutes ago', () => index.source(ROUTER, { checkpointAge: 300 })],
    ['is stopped', () => index.source(ROUTER, { state: 'stopped' })],
    ['has a hold', () => index.source(ROUTER, { has_holds: true })],
    [
      'of another version has no checkpoint',
      () => index.source(MULTI_ROLE, { state: 'starting', checkpointAge: null }),
    ],
    [
      'has a log about it in quarantine',
      () => index.taken.add(`${index.source(ROUTER)} ${native.record.tokenAddress}`),
    ],
  ])('may have one while a router %s, and a stamped coin keeps its own', async (_what, change) => {
    change();
    expect(await provenanceOf(native)).toBe('INDETERMINATE');
    expect(await provenanceOf(own)).toBe('STAMPED');
  });

  it('has none while a log about another coin is in quarantine', async () => {
    index.taken.add(`${index.source(ROUTER)} ${another.record.tokenAddress}`);
    expect(await provenanceOf(native)).toBe('NOT_STAMPED');
  });

  it('has none past the last block of a router that has ended', async () => {
    const ended = sourceDocument({ address: account(0xf0b), startBlock: '1', endBlock: '100' });
    index.source(ended, { state: 'ended', checkpoint: '100', checkpointAge: 4_000 });
    expect(await provenanceOf(native)).toBe('NOT_STAMPED');
  });

  it('may have one while it is provisional', async () => {
    expect(await provenanceOf(index.launch(NATIVE, 6, UNSTAMPED, { stage: 'ethereum_posted' }))).toBe('INDETERMINATE');
  });
});

describe('The labels of a list', () => {
  it('are those of the rows, in their order', async () => {
    expect(await labels.labelsOf([another, own, native, onEthereum])).toEqual([null, CUSTOM_LABEL, null, null]);
  });

  it('omit a row that a hold covers', async () => {
    index.held.add(own.record.tokenAddress);
    expect(await labels.labelsOf([own, another])).toEqual([null, null]);
  });

  it('have another version after every change of the feed', async () => {
    const before = await labels.version();
    counters = { ...COMPLETE, source: 2, quarantined: 1 };
    expect(await labels.version()).not.toBe(before);
  });
});
