import { describe, expect, it } from '@jest/globals';
import { quotaOverridesSchema } from './gateway-quotas.js';

const quota = { quantity: 2, windowSeconds: 1, burst: 3 };

describe('quotas', () => {
  it.each([
    [{ read: { quantity: 1, windowSeconds: 1, burst: 1 } }, true],
    [{ read: { quantity: 0, windowSeconds: 1, burst: 1 } }, false],
    [{ other: quota }, false],
    [{ read: { ...quota, x: 1 } }, false],
  ])('overrides %j: %s', (value, ok) => expect(quotaOverridesSchema.safeParse(value).success).toBe(ok));
});
