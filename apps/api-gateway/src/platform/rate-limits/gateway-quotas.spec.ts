import { describe, expect, it } from '@jest/globals';
import { DEFAULT_QUOTAS, quotaOverridesSchema } from './gateway-quotas.js';

const quota = { quantity: 2, windowSeconds: 1, burst: 3 };

describe('Quotas', () => {
  it('default to six new modules an hour for each lineage', () =>
    expect(DEFAULT_QUOTAS['module-create']).toEqual({ quantity: 6, windowSeconds: 3_600, burst: 6 }));

  it.each([
    [{ read: { quantity: 1, windowSeconds: 1, burst: 1 } }, true],
    [{ read: { quantity: 0, windowSeconds: 1, burst: 1 } }, false],
    [{ other: quota }, false],
    [{ read: { ...quota, x: 1 } }, false],
  ])('accept only valid overrides: %j, %s', (value, ok) =>
    expect(quotaOverridesSchema.safeParse(value).success).toBe(ok),
  );
});
