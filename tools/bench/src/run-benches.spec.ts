import { describe, expect, it, jest } from '@jest/globals';
import type { Bench } from './bench.types.js';
import { benchDocumentSchema } from './measure/bench-document.schema.js';
import { alone, alternate, compared, itemsPerSecond } from './measure/sampling.js';
import { benchTable } from './measure/table.js';
import { runBenches, selectBenches, type RunOptions } from './run-benches.js';
import type { BenchStack } from './stack/bench-stack.js';

const about = { unit: 'ms', better: 'lower', summary: 'median' } as const;
const samples = { ours: [30, 10, 20], peer: [5, 10, 10] };
const good: Bench = {
  name: 'pure.work',
  needsStack: false,
  run: () =>
    Promise.resolve([
      compared({ ...about, name: 'pure.work', peerName: 'a peer' }, samples),
      alone({ ...about, name: 'pure.part' }, [1, 2]),
    ]),
};
const bad: Bench = { name: 'pure.broken', needsStack: false, run: () => Promise.reject(new Error('no such machine')) };
const run = (benches: readonly Bench[], options: Partial<RunOptions> = {}) =>
  runBenches({
    benches,
    seconds: 60,
    isFull: false,
    say: () => undefined,
    startStack: () => Promise.reject(new Error('no stack')),
    signal: new AbortController().signal,
    ...options,
  });

describe('A run', () => {
  it('writes one document that parses again, with ratios and the missing results', async () => {
    const document = await run([good, bad]);
    expect(benchDocumentSchema.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
    expect(document.benches[0]).toMatchObject({ ours: 20, peer: 10, ratio: 2, peerName: 'a peer', samples });
    expect(document.benches[1]).toMatchObject({ ours: 1.5, peer: null, ratio: null });
    expect(document.missing).toEqual([{ name: 'pure.broken', kind: 'failed', reason: 'no such machine' }]);
    const table = benchTable(document);
    expect(table).toContain('2x');
    expect(table).toContain('not measured: pure.broken: no such machine');
  });

  it('starts the stack once, stops it once, and does not start it without need', async () => {
    const stop = jest.fn(() => Promise.resolve());
    const startStack = jest.fn(() => Promise.resolve({ stop } as unknown as BenchStack));
    const needy = (name: string): Bench => ({
      name,
      needsStack: true,
      run: async (world) => (await world.stack(), []),
    });
    await run([good], { startStack });
    expect(startStack).not.toHaveBeenCalled();
    await run([needy('a'), needy('b'), bad], { startStack });
    expect([startStack.mock.calls.length, stop.mock.calls.length]).toEqual([1, 1]);
  });

  it('stops the stack after the last bench that needs it, before the next one begins', async () => {
    const order: string[] = [];
    const stop = () => Promise.resolve(void order.push('stopped'));
    const needy: Bench = {
      name: 'needy',
      needsStack: true,
      run: async (world) => (await world.stack(), order.push('needy'), []),
    };
    const pure: Bench = { name: 'pure', needsStack: false, run: () => (order.push('pure'), Promise.resolve([])) };
    await run([needy, pure, needy, pure, pure], {
      startStack: () => Promise.resolve({ stop } as unknown as BenchStack),
    });
    expect(order).toEqual(['needy', 'pure', 'needy', 'stopped', 'pure', 'pure']);
  });

  it('reports a stack that does not start for each bench that needs it, and continues', async () => {
    const needy: Bench = { name: 'needy', needsStack: true, run: async (world) => (await world.stack(), []) };
    const document = await run([needy, good]);
    expect(document.missing).toEqual([{ name: 'needy', kind: 'failed', reason: 'no stack' }]);
    expect(document.benches).toHaveLength(2);
  });

  it('starts no bench when the time is up or the run was interrupted', async () => {
    expect((await run([good], { seconds: 0 })).missing).toMatchObject([{ name: 'pure.work', kind: 'time-up' }]);
    expect((await run([good], { signal: AbortSignal.abort() })).missing).toMatchObject([
      { name: 'pure.work', kind: 'interrupted' },
    ]);
  });
});

describe('The selection', () => {
  const benches = ['kernels.scan', 'kernels.json', 'creates.c1', 'creates.c16'].map((name) => ({ ...good, name }));
  it.each<[string[], string[]]>([
    [[], ['kernels.scan', 'kernels.json', 'creates.c1', 'creates.c16']],
    [['kernels'], ['kernels.scan', 'kernels.json']],
    [['creates.c1'], ['creates.c1']],
    [
      ['creates.c16', 'kernels.json'],
      ['kernels.json', 'creates.c16'],
    ],
    [['kern'], []],
  ])('%j runs the benches %j', (only, expected) => {
    expect(selectBenches(benches, only).map(({ name }) => name)).toEqual(expected);
  });
});

describe('The sampling', () => {
  it('lets the two sides begin in turns', async () => {
    const order: string[] = [];
    const side = (name: string) => () => order.push(name);
    const taken = await alternate(3, { ours: side('ours'), peer: side('peer') });
    expect(order).toEqual(['ours', 'peer', 'peer', 'ours', 'ours', 'peer']);
    expect(taken).toEqual({ ours: [1, 4, 5], peer: [2, 3, 6] });
  });

  it('runs every item once, with at most the requested number at a time', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    const items = Array.from({ length: 40 }, (_, index) => index);
    await itemsPerSecond(items, 4, async (item) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      done.push(item);
      running -= 1;
    });
    expect(done.sort((a, b) => a - b)).toEqual(items);
    expect(most).toBe(4);
  });

  it('gives no rate when an item fails', async () => {
    await expect(
      itemsPerSecond([1, 2, 3], 2, (item) => (item === 2 ? Promise.reject(new Error('refused')) : Promise.resolve())),
    ).rejects.toThrow('refused');
  });

  it.each([
    ['best', 'lower', 1],
    ['best', 'higher', 4],
    ['median', 'lower', 2],
    ['p95', 'lower', 4],
  ] as const)('takes the %s of samples where a %s value is better', (summary, better, expected) => {
    expect(alone({ name: 'x', unit: 'ms', better, summary }, [2, 4, 1]).ours).toBe(expected);
  });
});
