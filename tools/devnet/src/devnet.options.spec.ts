import { describe, expect, it } from '@jest/globals';
import { DevnetError } from './devnet.errors.js';
import { resolveOptions } from './devnet.options.js';

describe('The options', () => {
  it.each([2, 3, 5, 10, 30, 120, 900])('spend about %i seconds from inclusion to finality', (finalitySeconds) => {
    const { l1BlockMs, postEveryMs, l1FinalityDepth } = resolveOptions({ dir: 'x', finalitySeconds }).timing;
    const averageMs = postEveryMs / 2 + l1BlockMs / 2 + l1FinalityDepth * l1BlockMs;
    expect(Math.abs(averageMs - finalitySeconds * 1000)).toBeLessThanOrEqual(l1BlockMs / 2);
    expect(l1FinalityDepth).toBeGreaterThanOrEqual(1);
  });

  it('leave explicit values unchanged', () => {
    const policy = { l1BlockMs: 300, postEveryMs: 700, l1FinalityDepth: 4 };
    expect(resolveOptions({ dir: 'x', policy, l2BlockMs: 100 }).timing).toEqual({
      ...policy,
      l2BlockMs: 100,
      idleBlockMs: 10_000,
    });
  });

  it.each([
    [{ dir: '' }, 'dir'],
    [{ dir: 'x', finalitySeconds: Number.NaN }, 'finalitySeconds'],
    [{ dir: 'x', finalitySeconds: 1 }, 'finalitySeconds'],
    [{ dir: 'x', ports: { faults: 70_000 } }, 'ports.faults'],
    [{ dir: 'x', policy: { l1FinalityDepth: 0 } }, 'policy.l1FinalityDepth'],
  ])('refuse %j', (options, path) => {
    const read = (): unknown => resolveOptions(options);
    expect(read).toThrow(DevnetError);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ code: 'OPTIONS_INVALID', data: { path } });
    }
  });
});
