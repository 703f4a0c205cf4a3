import { describe, expect, it } from '@jest/globals';
import { SharedRead } from './shared-read.js';

/** Creates reads that end when the test ends them. */
function reads() {
  const begun: { readonly answer: (value: string) => void; readonly fail: (error: Error) => void }[] = [];
  const shared = new SharedRead(() => new Promise<string>((answer, fail) => void begun.push({ answer, fail })));
  return { shared, begun };
}
const turn = () => new Promise(setImmediate);

describe('a shared read', () => {
  it('answers no request that came after it began, and serves all requests in the meantime with the next read', async () => {
    const { shared, begun } = reads();
    const first = shared.ask();
    const later = [shared.ask(), shared.ask(), shared.ask()];
    expect(begun).toHaveLength(1);
    begun[0]?.answer('old');
    expect(await first).toBe('old');
    await turn();
    expect(begun).toHaveLength(2);
    const last = shared.ask();
    begun[1]?.answer('new');
    expect(await Promise.all(later)).toEqual(['new', 'new', 'new']);
    await turn();
    expect(begun).toHaveLength(3);
    begun[2]?.answer('newest');
    expect(await last).toBe('newest');
  });

  it('that fails rejects its own requests only, and the next read starts anew', async () => {
    const { shared, begun } = reads();
    const [first, second] = [shared.ask(), shared.ask()];
    begun[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    begun[1]?.answer('back');
    expect(await second).toBe('back');
    const third = shared.ask();
    begun[2]?.answer('still there');
    expect(await third).toBe('still there');
  });
});
