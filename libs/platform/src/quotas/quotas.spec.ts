import { describe, expect, it } from '@jest/globals';
import { AddressBuckets } from './address-buckets.js';
import { capacityMicros, emissionMicros, quotaHeaders, quotaState, verdictsOf } from './quotas.js';

const quota = { quantity: 2, windowSeconds: 1, burst: 3 };
const MS = 1_000;
const READ = { quantity: 20, windowSeconds: 1, burst: 40 };

describe('buckets of addresses', () => {
  it('allow the burst, then the rate, and report the time to wait', () => {
    const buckets = new AddressBuckets();
    const take = (ms: number) => quotaState(quota, buckets.take('a', quota, ms * MS));
    expect([take(0), take(0), take(0)].map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
    ]);
    expect(take(0)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    expect(take(499).allowed).toBe(false);
    expect(take(500).allowed).toBe(true);
    expect(take(500).allowed).toBe(false);
    expect(buckets.take('b', quota, 500 * MS).allowed).toBe(true);
    expect(take(10_000)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('do not charge refused requests and peeks', () => {
    const buckets = new AddressBuckets();
    for (let index = 0; index < 100; index += 1) buckets.take('a', quota, 0);
    for (let index = 0; index < 100; index += 1) buckets.peek('a', quota, 500 * MS);
    expect(buckets.take('a', quota, 500 * MS).allowed).toBe(true);
  });

  it('adopt the shared count of all gateways, higher or lower than their own', () => {
    const buckets = new AddressBuckets();
    buckets.learn('a', capacityMicros(quota), 0);
    expect(buckets.take('a', quota, 0)).toEqual({ allowed: false, aheadMicros: capacityMicros(quota) });
    buckets.learn('a', 0, 0);
    expect(buckets.take('a', quota, 0).allowed).toBe(true);
  });

  it('evict the least recently used address, so that a million addresses stay within the bound', () => {
    const buckets = new AddressBuckets(2);
    for (const address of ['a', 'b', 'a', 'c'])
      for (let index = 0; index < 3; index += 1) buckets.take(address, quota, 0);
    expect(['a', 'c', 'b'].map((address) => buckets.peek(address, quota, 0).allowed)).toEqual([false, false, true]);
  });
});

describe('quotas', () => {
  it.each([
    [3, 1],
    [7, 60],
    [50, 1],
    [11, 86_400],
    [1_000_000, 1],
  ])('A quota of %i in %i s grants the whole burst, for any rounding of the rate.', (quantity, windowSeconds) => {
    const odd = { quantity, windowSeconds, burst: quantity };
    const buckets = new AddressBuckets();
    const count = Math.min(quantity, 1_000);
    buckets.learn('a', capacityMicros(odd) - count * emissionMicros(odd), 12_345);
    const states = Array.from({ length: count + 1 }, () => quotaState(odd, buckets.take('a', odd, 12_345)));
    expect(states.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      ...Array.from({ length: count }, (_, index) => [true, count - 1 - index]),
      [false, 0],
    ]);
  });

  it('give each request of a batch the verdict that it would get alone', () => {
    const interval = emissionMicros(quota);
    expect(verdictsOf(quota, 4, 1_000, 1_000 + 2 * interval)).toEqual([
      { allowed: true, aheadMicros: 1_000 + interval },
      { allowed: true, aheadMicros: 1_000 + 2 * interval },
      { allowed: false, aheadMicros: 1_000 + 2 * interval },
      { allowed: false, aheadMicros: 1_000 + 2 * interval },
    ]);
  });

  it('are sent in the format of the draft', () => {
    expect(quotaHeaders('read', READ, quotaState(READ, { allowed: true, aheadMicros: 50 * MS }))).toEqual({
      'ratelimit-policy': '"read";q=20;w=1',
      ratelimit: '"read";r=39;t=1',
    });
  });
});
