import { describe, expect, it } from '@jest/globals';
import { CostlyReads } from './costly-reads.js';

function readsThatTake(ms: number) {
  const clock = { now: 0 };
  let begun = 0;
  const reads = new CostlyReads<number>(() => clock.now);
  const read = async (): Promise<number> => {
    begun += 1;
    await Promise.resolve();
    clock.now += ms;
    return begun;
  };
  return { clock, reads, ask: (name = 'a') => reads.recall(name, read), begun: () => begun };
}

describe('A costly read', () => {
  it('is cached for twenty times its duration', async () => {
    const { clock, ask } = readsThatTake(100);
    expect(await ask()).toBe(1);
    clock.now += 1_999;
    expect(await ask()).toBe(1);
    clock.now += 1;
    expect(await ask()).toBe(2);
  });

  it('is repeated each time while it is cheap', async () => {
    const { ask } = readsThatTake(49);
    expect([await ask(), await ask(), await ask()]).toEqual([1, 2, 3]);
  });

  it('runs once for all concurrent requests, and is not cached when it fails', async () => {
    const { ask, begun, reads } = readsThatTake(10);
    expect(await Promise.all([ask(), ask(), ask('b')])).toEqual([2, 2, 2]);
    expect(begun()).toBe(2);
    await expect(reads.recall('c', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await ask('c')).toBe(3);
  });

  it('has a bounded number of cached answers', async () => {
    const { ask, begun } = readsThatTake(100);
    for (let name = 0; name < 5_000; name += 1) await ask(String(name));
    await ask('4999');
    expect(begun()).toBe(5_000);
    await ask('0');
    expect(begun()).toBe(5_001);
  });
});
