import { describe, expect, it } from '@jest/globals';
import { StartQueue } from './start-queue.js';

const LONG = 60_000;

/** Creates starts that end when the test ends them. */
function starts() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    // Its lane is free one turn later.
    await new Promise(setImmediate);
  };
  return { begun, start, end };
}

describe('Background starts', () => {
  it('begin at once while there is no request, a few at a time and in order', async () => {
    const queue = new StartQueue({ lanes: 2, giveWayMs: LONG });
    const { begun, start, end } = starts();
    for (const name of ['a', 'b', 'c', 'd']) queue.add(start(name));
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('give way to requests until the last of them is done', async () => {
    const queue = new StartQueue({ lanes: 2, giveWayMs: LONG });
    const { begun, start } = starts();
    const requests = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const served = requests.map(({ promise }) => queue.first(() => promise));
    queue.add(start('a'));
    requests[0].resolve();
    await served[0];
    expect(begun).toEqual([]);
    requests[1].reject(new Error('refused'));
    await expect(served[1]).rejects.toThrow('refused');
    expect(begun).toEqual(['a']);
  });

  it('give way only for a bounded time', async () => {
    const queue = new StartQueue({ lanes: 1, giveWayMs: 20 });
    const begun = Promise.withResolvers<string>();
    const request = Promise.withResolvers<void>();
    const served = queue.first(() => request.promise);
    queue.add(async () => begun.resolve('begun'));
    expect(await begun.promise).toBe('begun');
    request.resolve();
    await served;
  });

  it('are all done when the queue is drained, even while requests are being served', async () => {
    const queue = new StartQueue({ lanes: 1, giveWayMs: LONG });
    const done: string[] = [];
    const request = Promise.withResolvers<void>();
    const served = queue.first(() => request.promise);
    for (const name of ['a', 'b']) queue.add(async () => void done.push(name));
    await queue.drain();
    expect(done).toEqual(['a', 'b']);
    request.resolve();
    await served;
  });
});
