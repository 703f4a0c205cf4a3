import { describe, expect, it } from '@jest/globals';
import { AddressBuckets } from './address-buckets.js';
import { DEFAULT_QUOTAS, quotaHeaders, quotaOverridesSchema, quotaState } from './quotas.js';

const quota = { quantity: 2, windowSeconds: 1, burst: 3 };

describe('address buckets', () => {
  it('allow the burst, then the rate, and say how long to wait', () => {
    const buckets = new AddressBuckets();
    const take = (now: number) => buckets.take('a', quota, now);
    expect([take(0), take(0), take(0)].map(({ allowed, remaining }) => [allowed, remaining])).toEqual([[true, 2], [true, 1], [true, 0]]);
    expect(take(0)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    expect(take(499).allowed).toBe(false);
    expect(take(500).allowed).toBe(true);
    expect(take(500).allowed).toBe(false);
    expect(buckets.take('b', quota, 500).allowed).toBe(true);
    expect(take(10_000)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('a refused request costs nothing', () => {
    const buckets = new AddressBuckets();
    for (let index = 0; index < 100; index += 1) buckets.take('a', quota, 0);
    expect(buckets.take('a', quota, 500).allowed).toBe(true);
  });
});

describe('quotas', () => {
  it('are shown as the draft writes them', () => {
    expect(quotaHeaders('read', DEFAULT_QUOTAS.read, quotaState(DEFAULT_QUOTAS.read, true, 50))).toEqual({ 'ratelimit-policy': '"read";q=20;w=1', ratelimit: '"read";r=39;t=1' });
  });

  it.each([[{ read: { quantity: 1, windowSeconds: 1, burst: 1 } }, true], [{ read: { quantity: 0, windowSeconds: 1, burst: 1 } }, false], [{ other: quota }, false], [{ read: { ...quota, x: 1 } }, false]])(
    'overrides %j: %s', (value, ok) => expect(quotaOverridesSchema.safeParse(value).success).toBe(ok),
  );
});
