import { describe, expect, it } from '@jest/globals';
import { BoundedMemory, SharedAnswers } from './bounded.memory.js';

describe('a bounded memory', () => {
  it('evicts the least recently used entries once its bytes exceed the bound', () => {
    const memory = new BoundedMemory<number>(3_000);
    memory.set('a', 1, 700);
    memory.set('b', 2, 700);
    memory.set('c', 3, 700);
    expect(memory.get('a')).toBe(1);
    memory.set('d', 4, 700);
    expect(['a', 'b', 'c', 'd'].map((key) => memory.get(key))).toEqual([1, undefined, 3, 4]);
  });

  it('stays within its bound with any number of empty values, and keeps no value that exceeds it', () => {
    const memory = new BoundedMemory<number>(10_000);
    for (let value = 0; value < 10_000; value += 1) memory.set(String(value), value, 0);
    expect(memory.bytes).toBeLessThanOrEqual(10_000);
    memory.set('9999', 0, 20_000);
    expect(memory.get('9999')).toBeUndefined();
    expect(memory.get('9998')).toBe(9_998);
  });
});

describe('shared answers', () => {
  it('are requested once by concurrent callers, and again if the answer must not be kept', async () => {
    const shared = new SharedAnswers(10_000);
    let asked = 0;
    const ask = async (): Promise<number> => (asked += 1);
    const once = (bytes: number | null) => shared.once('a', ask, () => bytes);
    expect(await Promise.all([once(null), once(null)])).toEqual([1, 1]);
    expect(await once(8)).toBe(2);
    expect(await once(8)).toBe(2);
  });
});
