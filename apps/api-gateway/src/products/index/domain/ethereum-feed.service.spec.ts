import { describe, expect, it } from '@jest/globals';
import type { FeedState } from '../data/ethereum-feed.repository.js';
import { EthereumFeedService } from './ethereum-feed.service.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const READ: FeedState = {
  lastSequence: '7',
  source: 3,
  published: 3,
  quarantined: 0,
  indexStatus: 'ok',
  readAt: new Date(NOW - 120_000),
};

const feedOf = (change: Partial<FeedState>) =>
  new EthereumFeedService(
    { state: async () => ({ ...READ, ...change }), list: async () => [], hasEvidence: async () => false },
    { now: () => NOW },
  );

describe('The feed of Ethereum', () => {
  it.each<[string, Partial<FeedState>, readonly string[]]>([
    ['everything is published', {}, []],
    ['it is empty', { source: 0, published: 0 }, []],
    ['no index was read', { readAt: null, indexStatus: 'indeterminate' }, ['INDEX_UNREAD']],
    ['no gateway has read the index for two minutes', { readAt: new Date(NOW - 120_001) }, ['INDEX_STALE']],
    ['the index has not advanced', { indexStatus: 'stale' }, ['INDEX_STALE']],
    ['the index is uncertain', { indexStatus: 'indeterminate' }, ['INDEX_INDETERMINATE']],
    ['the index has fewer launches than were published', { source: 2 }, ['INDEX_BEHIND']],
    ['a record is held', { source: 4, quarantined: 1 }, ['RECORDS_QUARANTINED']],
    ['a record is not published yet', { source: 4 }, ['RECORDS_UNPUBLISHED']],
    [
      'several reasons apply',
      { indexStatus: 'stale', source: 9, quarantined: 1 },
      ['INDEX_STALE', 'RECORDS_QUARANTINED', 'RECORDS_UNPUBLISHED'],
    ],
  ])('states its counts and its quality where %s', async (_what, change, reasons) => {
    const { source, published, quarantined, readAt } = { ...READ, ...change };
    const counts = { sourceRowCount: source, publishedRowCount: published, quarantinedRowCount: quarantined };
    const feed = feedOf(change);
    expect(await feed.frame()).toEqual({
      schemaVersion: 'service.custom-launch-finalized-list.v3',
      ...counts,
      dataset: { ...counts, asOf: readAt?.toISOString() ?? null },
      quality: { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons },
    });
    expect(await feed.isReady()).toBe(reasons.length === 0);
  });

  it('has another version after every change of its state', async () => {
    const versions = [{}, { source: 4 }, { published: 4, source: 4 }, { indexStatus: 'stale' } as const].map((change) =>
      feedOf(change).version(),
    );
    expect(new Set(await Promise.all(versions)).size).toBe(4);
  });
});
