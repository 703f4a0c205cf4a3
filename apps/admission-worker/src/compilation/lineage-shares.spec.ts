import { describe, expect, it } from '@jest/globals';
import { isShareTaken, LineageShares } from './lineage-shares.js';

/** Work that ends on command. */
function work() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: () => resolve('done') };
}

describe('The share of a lineage', () => {
  it('A lineage that uses its whole share is refused for a while, and another lineage is not.', async () => {
    const shares = new LineageShares(2);
    const [first, second] = [work(), work()];
    const running = [shares.run('a', first.run), shares.run('a', second.run)];
    const refused = await shares.run('a', first.run).catch((error: unknown) => error);
    expect(isShareTaken(refused)).toBe(true);
    expect(refused).toMatchObject({ nonRetryable: false, nextRetryDelay: 2_000 });
    expect(await shares.run('b', async () => 'other')).toBe('other');
    first.end();
    await running[0];
    expect(await shares.run('a', async () => 'again')).toBe('again');
    second.end();
    await running[1];
  });

  it('Failed work returns its place.', async () => {
    const shares = new LineageShares(1);
    await expect(shares.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await shares.run('a', async () => 'again')).toBe('again');
  });
});
