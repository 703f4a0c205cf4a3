import { describe, expect, it } from '@jest/globals';
import { BoundedCompilation, UNBOUNDED, type BoundedJob } from './bounded-compilation.js';
import type { CompileCache } from './compile.cache.js';
import type { PinnedCompiler } from './compiler.versions.js';
import type { PoolJob, PoolOutcome } from './solc.pool.js';

const compiler = { version: '0.8.26' } as PinnedCompiler;
const LIMIT_MS = 60_000;
const job = (key: string): BoundedJob => ({ compiler, input: new Uint8Array(), key, limitMs: LIMIT_MS });
const allowance = (budgetMs: number, attemptMs = Number.POSITIVE_INFINITY) => ({
  budgetMs,
  attemptMs,
  spentMs: 0,
});

/** A compiler whose jobs each need `needsMs`, with the jobs that it received. */
function scripted(needsMs: number) {
  const ran: number[] = [];
  const kept = new Map<string, Uint8Array>();
  const cache: CompileCache = {
    get: async (key) => kept.get(key),
    put: async (key, value) => void kept.set(key, value),
  };
  const pool = {
    async run({ cpuMs }: PoolJob): Promise<PoolOutcome> {
      ran.push(cpuMs);
      return needsMs > cpuMs
        ? { kind: 'limit', limit: 'time', cpuMs }
        : { kind: 'compiled', contracts: [], reusable: true, cpuMs: needsMs };
    },
  };
  const compilation = new BoundedCompilation({ pool, process: 'own', cache, onCacheFailure: undefined });
  return { compilation, ran };
}

const COMPILED = { kind: 'compiled', contracts: [] };

describe('a compilation', () => {
  it('A remembered result costs its original time and uses none.', async () => {
    const { compilation, ran } = scripted(5_000);
    const first = await compilation.run(job('a'), UNBOUNDED);
    expect(first).toMatchObject({ outcome: COMPILED, costMs: 5_000, usedMs: 5_000 });
    expect(await compilation.run(job('a'), UNBOUNDED)).toMatchObject({ outcome: COMPILED, costMs: 5_000, usedMs: 0 });
    expect(ran).toEqual([LIMIT_MS]);
  });

  it('A result that cost more than the budget has left ends the same way whether it is remembered or not.', async () => {
    const { compilation, ran } = scripted(5_000);
    const short = await compilation.run(job('a'), allowance(4_000));
    expect(short).toMatchObject({ outcome: { kind: 'unfinished', by: 'budget' }, usedMs: 4_000 });
    expect(await compilation.run(job('a'), allowance(4_000))).toMatchObject({ outcome: short.outcome, usedMs: 0 });
    await compilation.run(job('a'), allowance(6_000));
    expect(await compilation.run(job('a'), allowance(4_000))).toMatchObject({ outcome: short.outcome, usedMs: 0 });
    expect(ran).toEqual([4_000, 6_000]);
  });

  it('An insufficient time is remembered, so no attempt with the same or less time follows.', async () => {
    const { compilation, ran } = scripted(30_000);
    const quick = allowance(120_000, 10_000);
    for (const usedMs of [10_000, 0])
      expect(await compilation.run(job('a'), quick)).toMatchObject({
        outcome: { kind: 'unfinished', by: 'attempt' },
        usedMs,
      });
    expect(await compilation.run(job('a'), allowance(120_000))).toMatchObject({ outcome: COMPILED });
    expect(await compilation.run(job('a'), quick)).toMatchObject({ outcome: COMPILED, costMs: 30_000, usedMs: 0 });
    expect(ran).toEqual([10_000, LIMIT_MS]);
  });

  it('A compilation that needs more than its own limit hits that limit once, independent of the remaining budget.', async () => {
    const { compilation, ran } = scripted(90_000);
    const limit = { kind: 'limit', limit: 'time' };
    for (const usedMs of [LIMIT_MS, 0])
      expect(await compilation.run(job('a'), allowance(120_000))).toMatchObject({ outcome: limit, usedMs });
    expect(ran).toEqual([LIMIT_MS]);
  });

  it('No job runs when the budget or the attempt has no time left.', async () => {
    const { compilation, ran } = scripted(1);
    const unfinished = (by: string) => ({ outcome: { kind: 'unfinished', by }, costMs: 0, usedMs: 0 });
    expect(await compilation.run(job('a'), allowance(0))).toEqual(unfinished('budget'));
    expect(await compilation.run(job('a'), allowance(5, 0))).toEqual(unfinished('attempt'));
    expect(ran).toEqual([]);
  });

  it('A result within its time stays valid even if its time was counted coarsely.', async () => {
    const pool = {
      run: async (): Promise<PoolOutcome> => ({ kind: 'errors', errors: [], reusable: true, cpuMs: 1_040 }),
    };
    const kept = new Map<string, Uint8Array>();
    const cache: CompileCache = {
      get: async (key) => kept.get(key),
      put: async (key, value) => void kept.set(key, value),
    };
    const compilation = new BoundedCompilation({ pool, process: 'own', cache, onCacheFailure: undefined });
    for (const usedMs of [1_000, 0])
      expect(await compilation.run(job('a'), allowance(1_000))).toMatchObject({ outcome: { kind: 'errors' }, usedMs });
  });
});
