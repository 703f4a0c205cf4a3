import { describe, expect, it } from '@jest/globals';
import type { PublishedSource } from '@launch/contracts/index';
import { memoryIndex } from '../../../fixtures/memory-index.js';
import { account, publishedSource, sourceDocument, type SourceRow } from '../../../fixtures/published-rows.js';

const SOURCE = sourceDocument();
const OTHER = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf02) });
const ENDED = sourceDocument({ address: account(0xf03), startBlock: '1', endBlock: '100' });
const { state } = memoryIndex();
const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

describe('The freshness of sources', () => {
  it.each<[string, SourceRow & Partial<PublishedSource>, string]>([
    ['follow the chain', {}, 'ok'],
    ['were confirmed two minutes ago', { checkpointAge: 118 }, 'ok'],
    ['were confirmed more than two minutes ago', { checkpointAge: 121 }, 'stale'],
    ['have not advanced for a minute', { progressed_at: secondsAgo(61) }, 'stale'],
    ['have no checkpoint', { state: 'starting', checkpointAge: null }, 'indeterminate'],
    ['are stopped', { state: 'stopped' }, 'indeterminate'],
    ['are refused', { state: 'unsupported', checkpointAge: null }, 'indeterminate'],
    ['have a hold', { has_holds: true }, 'indeterminate'],
  ])('that %s is the status of all', (_what, row, status) => {
    expect(state.freshness([publishedSource(OTHER), publishedSource(SOURCE, row)]).status).toBe(status);
  });

  it('that have ended stays, however long ago they did', () => {
    const long = secondsAgo(4_000);
    const ended = { state: 'ended', checkpoint: '100', checkpointAge: 4_000, progressed_at: long } as const;
    expect(state.freshness([publishedSource(SOURCE), publishedSource(ENDED, ended)]).status).toBe('ok');
    expect(state.freshness([publishedSource(ENDED, { ...ended, checkpoint: '99' })]).status).toBe('stale');
  });

  it('is unknown without a source', () => {
    expect(state.freshness([])).toEqual({ status: 'indeterminate', updatedAt: null });
  });

  it('names the last update of any of them', () => {
    const last = secondsAgo(1);
    const sources = [
      publishedSource(SOURCE, { updated_at: last }),
      publishedSource(OTHER, { updated_at: secondsAgo(9) }),
    ];
    expect(state.freshness(sources).updatedAt).toBe(last.toISOString());
  });

  it('decides whether a missing coin is absent or not read yet', () => {
    expect(state.missing([publishedSource(SOURCE)]).code).toBe('NOT_FOUND');
    const { code, retryAfterSeconds } = state.missing([publishedSource(SOURCE, { checkpointAge: 121 })]);
    expect([code, retryAfterSeconds]).toEqual(['INDEX_NOT_CURRENT', 5]);
  });
});

it('The state of the index has another version after every write of a source', async () => {
  const index = memoryIndex();
  index.source(SOURCE, { updated_at: secondsAgo(2) });
  const { version } = await index.state.state();
  expect((await index.state.state()).version).toBe(version);
  index.source(SOURCE, { updated_at: secondsAgo(1) });
  expect((await index.state.state()).version).not.toBe(version);
});
