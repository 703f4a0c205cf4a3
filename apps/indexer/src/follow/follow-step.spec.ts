import { describe, expect, it, jest } from '@jest/globals';
import type { Hex } from '@launch/contracts/primitives';
import type { ReadRange } from '../rows/commit.repository.js';
import type { SourceRow } from '../rows/source.repository.js';
import { followStep, type StepParts } from './follow-step.js';
import { newStepMemory } from './step-memory.js';
import type { Obstacle, RangeRead, SourceRange } from './read-range.js';

const hashOf = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const placeAt = (number: bigint) => ({ number, hash: hashOf(number) });
const LAUNCHED = 3n;

const incomplete = (
  reason: string,
  cause: 'too-much' | 'transient' | 'unreadable',
  obstacle: Partial<Obstacle> = {},
): RangeRead => ({
  kind: 'incomplete',
  reason,
  cause,
  obstacle: { subject: 'launches', block: null, events: [], ...obstacle },
});

/** A new source on a chain of some blocks, of which the first launches were posted. */
function atHead(head: bigint, markPosted: jest.Mock<(digest: string, through: bigint) => Promise<void>>): StepParts {
  const place = (number: bigint) => ({ ...placeAt(number), parentHash: hashOf(number - 1n), timestamp: number });
  return {
    chainOf: () => ({
      heads: {
        view: async () => ({ head: placeAt(head), final: null, finalReason: null, reads: {} }),
        postingOf: async () => ({ kind: 'posted', through: LAUNCHED }),
      },
    }),
    commits: {
      commit: async () => ({ kind: 'written' }),
      openPostings: async () => ({ lowestUnposted: placeAt(LAUNCHED), highestPosted: null }),
      markPosted,
    },
    pools: { of: () => null },
    readRange: async (_pair: unknown, { from, to }: { readonly from: bigint; readonly to: bigint }) => ({
      kind: 'read',
      first: place(from),
      last: place(to),
      isComplete: true,
      launches: [],
      quarantine: [],
      swaps: [],
      holds: [],
    }),
    holds: { within: async () => [], due: async () => null, postpone: async () => undefined },
    rangeBlocks: 10n,
    patience: { attempts: 2, forMs: 1_000 },
    now: () => 0,
  } as unknown as StepParts;
}
const row = {
  releaseDigest: 'sha256:00',
  source: { sourceVersion: 'custom-router-v1', chainId: 4663, startBlock: '1', endBlock: null },
  state: 'following',
  checkpoint: null,
  position: null,
  rescan: null,
  hasHolds: false,
  nextRetryAt: null,
} as unknown as SourceRow;

describe('A step of a source', () => {
  it('reads up to the head, marks posted launches, and leaves no work to another step', async () => {
    const markPosted = jest.fn<(digest: string, through: bigint) => Promise<void>>(async () => undefined);
    const parts = atHead(5n, markPosted);
    await expect(followStep(parts, row, newStepMemory(parts))).resolves.toMatchObject({
      state: 'following',
      isBusy: false,
    });
    expect(markPosted.mock.calls).toEqual([['sha256:00', LAUNCHED]]);
  });

  it('does not read postings while blocks remain to be read', async () => {
    const markPosted = jest.fn<(digest: string, through: bigint) => Promise<void>>(async () => undefined);
    const parts = atHead(50n, markPosted);
    await expect(followStep(parts, row, newStepMemory(parts))).resolves.toMatchObject({ state: 'backfilling' });
    expect(markPosted).not.toHaveBeenCalled();
  });

  const spans: bigint[] = [];
  /** Observers that refuse ranges above a limit until their first answer. */
  function refusingOnce(head: bigint, accepted: bigint): StepParts {
    const parts = atHead(
      head,
      jest.fn(async () => undefined),
    );
    let limit = accepted;
    spans.length = 0;
    const commits = { ...parts.commits, commitAgain: async () => ({ kind: 'written' }) };
    return {
      ...parts,
      commits,
      rangeBlocks: 64n,
      readRange: async (pair: never, range: { readonly from: bigint; readonly to: bigint }) => {
        const span = range.to - range.from + 1n;
        spans.push(span);
        if (span > limit) return incomplete('too many blocks', 'too-much');
        limit = head;
        return parts.readRange(pair, range as never);
      },
    } as unknown as StepParts;
  }

  it('narrows a refused range, and widens it after answers up to its limit', async () => {
    const head = 1_000n;
    const parts = refusingOnce(head, 16n);
    const memory = { ...newStepMemory(parts), checkedAt: `${hashOf(head)}/` };
    let at = 0n;
    for (let step = 0; step < 5; step += 1) {
      const read = { ...row, position: placeAt(at) } as unknown as SourceRow;
      const { state } = await followStep(parts, read, memory);
      if (state !== 'waiting') at += spans.at(-1)!;
    }
    expect(spans).toEqual([64n, 16n, 32n, 64n, 64n]);
  });

  it('narrows and widens a range in the same way while it reads again', async () => {
    const parts = refusingOnce(1_000n, 16n);
    const memory = newStepMemory(parts);
    let next = 1n;
    for (let step = 0; step < 4; step += 1) {
      const again = { ...row, rescan: { next, last: 500n } } as unknown as SourceRow;
      const { state } = await followStep(parts, again, memory);
      if (state !== 'waiting') next += spans.at(-1)!;
    }
    expect(spans).toEqual([64n, 16n, 32n, 64n]);
  });

  /** A chain that makes a block and finalizes one with every step, and a source that lags behind. */
  function movingOn(
    distance: bigint,
    readRange?: (range: { readonly to: bigint }, final: bigint) => RangeRead | null,
  ): { readonly step: () => Promise<SourceRow>; readonly head: () => bigint } {
    const parts = atHead(
      0n,
      jest.fn(async () => undefined),
    );
    let [head, position, checkpoint] = [1_000n, 500n, 400n];
    const asked = { ...row, checkpoint, position: placeAt(position) };
    const moving = {
      ...parts,
      rangeBlocks: 64n,
      readRange: async (pair: never, range: { readonly to: bigint }) =>
        readRange?.(range, head - distance) ?? parts.readRange(pair, range as never),
      chainOf: () => ({
        heads: {
          view: async () => ({ head: placeAt(head), final: placeAt(head - distance), finalReason: null, reads: {} }),
          postingOf: async () => ({ kind: 'unknown' }),
        },
      }),
      commits: {
        ...parts.commits,
        commit: async ({ through, isFinal }: { readonly through: { number: bigint }; readonly isFinal: boolean }) => {
          position = through.number;
          if (isFinal) checkpoint = through.number;
          return { kind: 'written' };
        },
        admit: async (_digest: string, _position: unknown, final: { readonly number: bigint }) => {
          checkpoint = final.number;
          return true;
        },
      },
    } as unknown as StepParts;
    return {
      head: () => head,
      async step() {
        head += 1n;
        const read = { ...asked, checkpoint, position: placeAt(position) } as unknown as SourceRow;
        // Marks the last checkpoint as checked: this model knows that it is in the chain.
        const known = { ...newStepMemory(moving), checkedAt: `${hashOf(head)}/${hashOf(head - distance)}` };
        await followStep(moving, read, known);
        return { ...asked, checkpoint, position: placeAt(position) } as unknown as SourceRow;
      },
    };
  }

  it.each([
    ['a block', 1n],
    ['three blocks', 3n],
    ['many blocks', 100n],
  ])(
    'reaches the head although blocks become final as fast as steps are taken, %s below it',
    async (_name, distance) => {
      const { step, head } = movingOn(distance);
      const read: bigint[] = [];
      for (let steps = 0; steps < 20; steps += 1) {
        const { position, checkpoint } = await step();
        read.push(position!.number);
        // Read and final blocks are admitted, even in the middle of a range.
        const final = head() - distance;
        expect(checkpoint).toBe(position!.number < final ? position!.number : final);
      }
      expect(read.at(-1)).toBe(head());
    },
  );

  it('admits final blocks although later ones cannot be read, since an observer’s logs lag behind its head', async () => {
    const behind = incomplete('logs are missing', 'transient');
    const { step, head } = movingOn(3n, ({ to }, final) => (to > final ? behind : null));
    let at = await step();
    for (let steps = 0; steps < 20; steps += 1) at = await step();
    expect([at.position?.number, at.checkpoint]).toEqual([head() - 3n, head() - 3n]);
  });

  /** A source over observers that refuse some blocks permanently; time passes with each step. */
  function refusingAlways(refused: (range: SourceRange) => RangeRead | null) {
    let now = 0;
    const parts = atHead(
      40n,
      jest.fn(async () => undefined),
    );
    let position = placeAt(0n);
    const written: ReadRange[] = [];
    const refusing = {
      ...parts,
      now: () => now,
      rangeBlocks: 64n,
      readRange: async (pair: never, range: SourceRange) => {
        const { from, leftOut } = range;
        if (!leftOut.block) return refused(range) ?? parts.readRange(pair, range);
        const read = await parts.readRange(pair, range);
        return { ...read, isComplete: false, holds: [{ blockNumber: from, reason: leftOut.reason }] };
      },
      commits: {
        ...parts.commits,
        openPostings: async () => ({ lowestUnposted: null, highestPosted: null }),
        commit: async (range: ReadRange) => {
          written.push(range);
          position = range.through;
          return { kind: 'written' };
        },
      },
    } as unknown as StepParts;
    const memory = newStepMemory(refusing);
    return {
      written,
      memory,
      position: () => position.number,
      async steps(count: number) {
        for (let step = 0; step < count; step += 1) {
          now += 200;
          memory.checkedAt = `${hashOf(40n)}/`;
          await followStep(refusing, { ...row, position } as unknown as SourceRow, memory);
        }
      },
    };
  }
  const BAD = new Set([7n, 8n, 23n]);
  const badOf = ({ from, to }: SourceRange): boolean => [...BAD].some((block) => block >= from && block <= to);

  it.each(['transient', 'unreadable'] as const)(
    'skips blocks that stay %s, with a hold for each, and reads all others',
    async (cause) => {
      const chain = refusingAlways((range) => (badOf(range) ? incomplete('no answer', cause) : null));
      await chain.steps(60);
      expect(chain.position()).toBe(40n);
      expect(chain.written.flatMap(({ holds }) => holds.map(({ blockNumber }) => blockNumber))).toEqual([...BAD]);
      const read = chain.written.flatMap(({ after, through }) =>
        Array.from(
          { length: Number(through.number - (after?.number ?? 0n)) },
          (_, index) => (after?.number ?? 0n) + 1n + BigInt(index),
        ),
      );
      expect(read).toEqual(Array.from({ length: 40 }, (_, index) => BigInt(index + 1)));
    },
  );

  it('holds no block while the last read block has no answer either', async () => {
    let isDown = false;
    const chain = refusingAlways((range) =>
      isDown ? incomplete('no answer', 'transient') : badOf(range) ? incomplete('no answer', 'transient') : null,
    );
    await chain.steps(8);
    isDown = true;
    const before = chain.position();
    await chain.steps(60);
    expect([before, chain.position()]).toEqual([6n, 6n]);
    isDown = false;
    await chain.steps(60);
    expect(chain.position()).toBe(40n);
  });

  it('gives up only the launch of a range that has no verdict after its patience', async () => {
    const asked: ReadonlyMap<string, string>[] = [];
    const chain = refusingAlways(({ givenUp }) => {
      asked.push(new Map(givenUp));
      return givenUp.has('0xaa/3') ? null : incomplete('reads: no answer', 'transient', { events: ['0xaa/3'] });
    });
    await chain.steps(10);
    expect(chain.position()).toBe(40n);
    expect(asked.at(-1)).toEqual(new Map([['0xaa/3', 'reads: no answer']]));
    expect(chain.memory.givenUp.size).toBe(0);
  });

  it('skips an unreadable block although a launch of the previous block has no verdict', async () => {
    const chain = refusingAlways(({ from, to, givenUp }) => {
      if (from <= 6n && to >= 6n && !givenUp.has('0xaa/3'))
        return incomplete('reads: no answer', 'transient', { events: ['0xaa/3'] });
      return from <= 7n && to >= 7n ? incomplete('too large', 'unreadable', { block: 7n }) : null;
    });
    await chain.steps(60);
    expect(chain.position()).toBe(40n);
  });

  it('gives up any number of launches without a verdict, and bounds the number that it counts at a time', async () => {
    const silent = Array.from({ length: 2_000 }, (_, index) => `0xaa/${index}`);
    const chain = refusingAlways(({ givenUp }) => {
      const open = silent.filter((event) => !givenUp.has(event));
      return open.length === 0 ? null : incomplete('reads: no answer', 'transient', { events: open });
    });
    await chain.steps(40);
    expect(chain.position()).toBe(40n);
  });
});
