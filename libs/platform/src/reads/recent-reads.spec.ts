import { describe, expect, it } from '@jest/globals';
import { recentReads } from './recent-reads.js';

describe('recent reads', () => {
  const counted = (kept: number) => {
    const asked: string[] = [];
    const reads = recentReads<string>(kept);
    const ask = (key: string): Promise<string> =>
      reads(key, async () => {
        asked.push(key);
        return `answer to ${key}`;
      });
    return { ask, asked };
  };

  it('reads a key once while it stays among the most recently used ones', async () => {
    const { ask, asked } = counted(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await ask(key)).toBe(`answer to ${key}`);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });

  it('reads again after a failed read', async () => {
    const reads = recentReads<string>(2);
    await expect(reads('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await reads('a', async () => 'back')).toBe('back');
  });

  it('keeps an undefined answer', async () => {
    const reads = recentReads<undefined>(1);
    await reads('a', async () => undefined);
    await reads('a', () => Promise.reject(new Error('read twice')));
  });
});
