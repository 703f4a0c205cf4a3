import { describe, expect, it } from '@jest/globals';
import { BoundedReads } from './bounded-reads.js';

/** Creates reads that end on command. */
function heldReads(atOnce: number, inLine: number) {
  const reads = new BoundedReads(atOnce, inLine);
  const begun: PromiseWithResolvers<string>[] = [];
  const ask = (): Promise<string> =>
    reads.run(() => {
      const held = Promise.withResolvers<string>();
      begun.push(held);
      return held.promise;
    });
  return { ask, begun };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Bounded reads', () => {
  it('begin as many at once as there are slots, and the others in order', async () => {
    const { ask, begun } = heldReads(2, 5);
    const asked = [ask(), ask(), ask(), ask()];
    expect(begun).toHaveLength(2);
    begun[1]?.resolve('second');
    await settle();
    expect(begun).toHaveLength(3);
    begun[0]?.reject(new Error('failed'));
    await expect(asked[0]).rejects.toThrow('failed');
    await settle();
    expect(begun).toHaveLength(4);
    begun[2]?.resolve('third');
    begun[3]?.resolve('fourth');
    expect(await Promise.all(asked.slice(1))).toEqual(['second', 'third', 'fourth']);
  });

  it('refuse a read that finds the queue full, and accept further reads once it is shorter', async () => {
    const { ask, begun } = heldReads(1, 1);
    const [first, second] = [ask(), ask()];
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    begun[0]?.resolve('first');
    await first;
    await settle();
    const third = ask();
    begun[1]?.resolve('second');
    await second;
    await settle();
    begun[2]?.resolve('third');
    expect(await third).toBe('third');
  });
});
