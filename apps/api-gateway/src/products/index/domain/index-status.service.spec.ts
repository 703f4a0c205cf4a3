import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  indexStatusSchema,
  type PublishedHold,
  type PublishedQuarantine,
  type PublishedSource,
} from '@launch/contracts/index';
import type { HeldRecord } from '../../../core/feeds/held-records.repository.js';
import { memoryIndex, type MemoryIndex } from '../../../fixtures/memory-index.js';
import { account, PRIMARY, publishedSource, RETIRED, sourceDocument, word } from '../../../fixtures/published-rows.js';
import type { QuarantineCount } from '../data/index-rows.sql.js';
import { IndexStatusService } from './index-status.service.js';

const UNKNOWN = sourceDocument({ sourceVersion: 'module-native-v9', address: account(0xf04) });
const HEAD = { checkpoint: '21000200', finalized_head: '21000207' };
const DIGEST = publishedSource(PRIMARY).release_digest;
const AT = new Date('2026-11-20T10:00:00.000Z');

let index: MemoryIndex;
let counts: readonly QuarantineCount[];
let dismissed: readonly PublishedQuarantine[];
let holds: readonly PublishedHold[];
let records: Readonly<Record<'v4' | 'ethereum', readonly HeldRecord[]>>;
beforeEach(() => {
  index = memoryIndex();
  index.source(PRIMARY, HEAD);
  [counts, dismissed, holds] = [[], [], []];
  records = { v4: [], ethereum: [] };
});

async function status() {
  const service = new IndexStatusService(
    index.state,
    {
      quarantine: async () => counts,
      dismissed: async () => dismissed,
      holds: async () => holds,
      holdCounts: async () => new Map(holds.map((hold) => [hold.release_digest, holds.length])),
    },
    { customLaunchCounters: async () => ({ source: 5, published: 3, quarantined: 2, asOf: new Date(0) }) },
    { ofEthereum: async () => 4, dismissed: async (feed) => records[feed] },
  );
  return indexStatusSchema.parse(await service.status());
}
const shown = async (document = PRIMARY) =>
  (await status()).sources.find(({ address }) => address === document.address)!;

describe('The status of the index', () => {
  it('has no source before one is bound, and is indeterminate', async () => {
    index = memoryIndex();
    expect(await status()).toMatchObject({ status: 'indeterminate', sources: [] });
  });

  it('states the coverage, the lag and the freshness of each source', async () => {
    index.source(RETIRED, {
      status: 'retained',
      state: 'ended',
      checkpoint: '21000099',
      finalized_head: '21000207',
      checkpointAge: 4_000,
    });
    expect(await shown()).toMatchObject({
      state: 'following',
      freshness: 'ok',
      checkpoint: { number: '21000200', hash: word(1) },
      finalizedHead: '21000207',
      lagBlocks: '7',
      coverage: { from: '21000100', through: '21000200' },
    });
    // Nothing comes after its end.
    expect(await shown(RETIRED)).toMatchObject({ lagBlocks: '0', coverage: { through: '21000099' } });
  });

  it.each<[string, Partial<PublishedSource> & { checkpointAge?: null; checkpoint?: string }, string | null]>([
    ['from its first block before the first checkpoint', { checkpointAge: null, finalized_head: '21000109' }, '10'],
    ['as unknown without a finalized block', { finalized_head: null }, null],
    ['as nothing before its first block', { checkpointAge: null, finalized_head: '20000000' }, '0'],
  ])('counts the lag of a source %s', async (_what, row, lagBlocks) => {
    index.source(PRIMARY, row);
    expect((await shown()).lagBlocks).toBe(lagBlocks);
  });

  it('names a source version that the index refuses', async () => {
    index.source(UNKNOWN, { state: 'unsupported', checkpointAge: null });
    expect(await shown(UNKNOWN)).toMatchObject({
      sourceVersion: 'module-native-v9',
      state: 'unsupported',
      checkpoint: null,
      freshness: 'indeterminate',
      coverage: { through: null },
    });
    expect((await status()).status).toBe('indeterminate');
  });

  it('reports a source as stale that has not advanced for a minute, in every state', async () => {
    const progressed_at = new Date(Date.now() - 61_000);
    for (const state of ['following', 'backfilling'] as const) {
      index.source(PRIMARY, { checkpoint: '21000200', state, progressed_at });
      expect(await shown()).toMatchObject({ state, lagBlocks: '0', freshness: 'stale' });
    }
  });

  it('shows holds with their reasons', async () => {
    const hold = { release_digest: DIGEST, block_number: '21000150', reason: 'under review', held_at: AT } as const;
    holds = [
      { ...hold, transaction_hash: null, subject: 'trades', cause: 'index', released_at: null },
      { ...hold, transaction_hash: word(5), subject: 'launches', cause: 'operator', released_at: AT },
    ];
    const place = { blockNumber: '21000150', reason: 'under review', heldAt: AT.toISOString() };
    expect((await shown()).holds).toEqual({
      total: 2,
      places: [
        { ...place, transactionHash: null, subject: 'trades', cause: 'index', isReleased: false },
        { ...place, transactionHash: word(5), subject: 'launches', cause: 'operator', isReleased: true },
      ],
    });
  });

  it('counts quarantined events by reason, and dismissed ones separately, each with its reason', async () => {
    const of = (reason: QuarantineCount['reason'], count: number, isDismissed = false) => ({
      release_digest: DIGEST,
      reason,
      dismissed: isDismissed,
      count,
    });
    counts = [of('EVENT_MISSING', 1), of('EVENT_MISSING', 1, true), of('GETTER_MISMATCH', 2)];
    dismissed = [
      {
        release_digest: DIGEST,
        block_number: '21000150',
        block_hash: word(4),
        transaction_hash: word(4),
        log_index: 4,
        reason: 'EVENT_MISSING',
        dismissed_reason: 'because',
      },
    ];
    expect((await shown()).quarantine).toEqual({
      total: 3,
      byReason: { GETTER_MISMATCH: 2, EVENT_MISSING: 1 },
      dismissed: 1,
      dismissals: [
        {
          blockHash: word(4),
          transactionHash: word(4),
          logIndex: 4,
          reason: 'EVENT_MISSING',
          dismissedReason: 'because',
        },
      ],
    });
  });

  it('shows holds and quarantine of their own source alone', async () => {
    index.source(RETIRED, { checkpoint: '21000099' });
    counts = [{ release_digest: DIGEST, reason: 'EVENT_MISSING', dismissed: false, count: 1 }];
    expect([(await shown()).quarantine.total, (await shown(RETIRED)).quarantine.total]).toEqual([1, 0]);
  });

  it('counts held records of both feeds, and shows their dismissals without the operator', async () => {
    const record: HeldRecord = {
      name: `${word(7)}/3`,
      launchId: null,
      onchainLaunchId: word(8),
      blockHash: word(9),
      reason: 'record: launchId',
      recordSha256: null,
      quarantinedAt: AT,
      dismissedReason: 'an indexer with a fault',
      dismissedBy: 'ana',
      dismissedAt: AT,
    };
    records = { v4: [record, { ...record, onchainLaunchId: null }], ethereum: [record] };
    const { heldRecords, heldEthereumRecords } = await status();
    const dismissal = {
      reason: 'record: launchId',
      dismissedReason: 'an indexer with a fault',
      dismissedAt: AT.toISOString(),
    };
    expect(heldRecords).toEqual({
      quarantined: 2,
      dismissals: [
        { routerLaunchId: word(8), ...dismissal },
        { routerLaunchId: null, ...dismissal },
      ],
    });
    expect(heldEthereumRecords).toEqual({
      quarantined: 4,
      dismissals: [{ blockHash: word(9), transactionHash: word(7), logIndex: 3, ...dismissal }],
    });
    expect(JSON.stringify([heldRecords, heldEthereumRecords])).not.toContain('ana');
  });
});
