import { describe, expect, it, jest } from '@jest/globals';
import type { Hex } from '@launch/contracts';
import type { SourceRow } from '../rows/source.repository.js';
import { followStep, newStepMemory, type StepParts } from './follow-step.js';

const hashOf = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const placeAt = (number: bigint) => ({ number, hash: hashOf(number) });
const LAUNCHED = 3n;

/** A source that has read nothing, on a chain of some blocks, of which the first launches were posted. */
function atHead(head: bigint, markPosted: jest.Mock<(digest: string, through: bigint) => Promise<void>>): StepParts {
  const place = (number: bigint) => ({ ...placeAt(number), parentHash: hashOf(number - 1n), timestamp: number });
  return {
    chainOf: () => ({
      heads: {
        view: async () => ({ head: placeAt(head), final: null, finalReason: null }),
        postingOf: async () => ({ kind: 'posted', through: LAUNCHED }),
      },
    }),
    commits: {
      commit: async () => ({ kind: 'written' }),
      openPostings: async () => ({ lowestUnposted: placeAt(LAUNCHED), highestPosted: null }),
      markPosted,
    },
    pools: { of: async () => [] },
    readRange: async (_pair: unknown, { from, to }: { readonly from: bigint; readonly to: bigint }) => ({
      kind: 'read',
      first: place(from),
      last: place(to),
      launches: [],
      quarantine: [],
      swaps: [],
    }),
    rangeBlocks: 10n,
  } as unknown as StepParts;
}
const row = {
  releaseDigest: 'sha256:00',
  source: { sourceVersion: 'custom-router-v1', chainId: 4663, startBlock: '1', endBlock: null },
  state: 'following',
  checkpoint: null,
  position: null,
  rescan: null,
} as unknown as SourceRow;

describe('a step of a source', () => {
  it('that reads up to the head shows which launches were posted, though the next block is there already', async () => {
    const markPosted = jest.fn<(digest: string, through: bigint) => Promise<void>>(async () => undefined);
    const parts = atHead(5n, markPosted);
    await expect(followStep(parts, row, newStepMemory(parts))).resolves.toMatchObject({
      state: 'following',
      isBusy: true,
    });
    expect(markPosted.mock.calls).toEqual([['sha256:00', LAUNCHED]]);
  });

  it('that has more to read asks nothing about postings', async () => {
    const markPosted = jest.fn<(digest: string, through: bigint) => Promise<void>>(async () => undefined);
    const parts = atHead(50n, markPosted);
    await expect(followStep(parts, row, newStepMemory(parts))).resolves.toMatchObject({ state: 'backfilling' });
    expect(markPosted).not.toHaveBeenCalled();
  });
});
