import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@launch/testing';
import fc from 'fast-check';
import {
  AddressBuckets,
  capacityMicros,
  emissionMicros,
  quotaState,
  type Quota,
  type Verdict,
} from '@launch/platform/quotas';
import type { BucketCharge, Counted } from './shared-buckets.js';
import { SharedAddresses } from './shared-addresses.js';

/**
 * Simulates gateways over one shared count, on a clock that the test controls; a statement has a latency in each
 * direction.
 */
function deployment(gateways: number) {
  const clock = { micros: 1_000_000_000, statementMicros: 0 };
  const arrivals = new Map<string, number>();
  const statements: (readonly BucketCharge[])[] = [];
  const count = async (quota: Quota, charges: readonly BucketCharge[]): Promise<ReadonlyMap<string, Counted>> => {
    statements.push(charges);
    clock.micros += clock.statementMicros;
    const counted = charges.map(({ bucket, asked }) => {
      const before = Math.max(arrivals.get(bucket) ?? 0, clock.micros) - clock.micros;
      const after =
        before +
        emissionMicros(quota) * Math.min(asked, Math.floor((capacityMicros(quota) - before) / emissionMicros(quota)));
      arrivals.set(bucket, clock.micros + after);
      return [bucket, { before, after }] as const;
    });
    clock.micros += clock.statementMicros;
    return new Map(counted);
  };
  const members = Array.from({ length: gateways }, () => {
    const addresses = new AddressBuckets();
    return { addresses, shared: new SharedAddresses(addresses, count, () => clock.micros) };
  });
  /** Charges an address as a gateway does. */
  const ask = async (gateway: number, quota: Quota, bucket = 'a'): Promise<Verdict> => {
    const { addresses, shared } = members[gateway] as (typeof members)[number];
    const held = addresses.takeHeld(bucket, quota, clock.micros);
    if (held !== null) return held;
    const alone = addresses.take(bucket, quota, clock.micros);
    if (!alone.allowed) return alone;
    return (await shared.charge(quota, [{ bucket, asked: 1 }])).get(bucket)?.[0] as Verdict;
  };
  return { clock, statements, ask, members };
}

/** A slot lasts 1 ms, so with a hundred left, six are held for 6 ms. */
const quota: Quota = { quantity: 1_000, windowSeconds: 1, burst: 100 };

describe('slots held in advance', () => {
  it('count a persistent address with few statements, with the same answers as single queries', async () => {
    const { ask, statements } = deployment(1);
    const left: number[] = [];
    for (let index = 0; index < 101; index += 1) left.push(quotaState(quota, await ask(0, quota)).remaining);
    expect(left).toEqual([...Array.from({ length: 100 }, (_, index) => 99 - index), 0]);
    // One statement per request near the end, when no slots are held.
    expect(statements.length).toBeLessThan(45);
    expect(statements.slice(0, 3)).toEqual([
      [{ bucket: 'a', asked: 1 }],
      [{ bucket: 'a', asked: 7 }],
      [{ bucket: 'a', asked: 6 }],
    ]);
  });

  it('are not requested for a new or infrequent address, or for a slow quota', async () => {
    const { clock, ask, statements } = deployment(1);
    for (let index = 0; index < 5; index += 1) await ask(0, quota, `new ${index}`);
    for (let index = 0; index < 5; index += 1) {
      await ask(0, quota, 'seldom');
      clock.micros += 10_000;
    }
    const slow = { quantity: 60, windowSeconds: 60, burst: 1_000 };
    for (let index = 0; index < 5; index += 1) await ask(0, { ...slow, quantity: 59 }, 'slow');
    expect(new Set(statements.flat().map(({ asked }) => asked))).toEqual(new Set([1]));
    expect(statements).toHaveLength(15);
  });

  it('serve requests that arrived during their query before the next query', async () => {
    const { ask, members, statements } = deployment(1);
    const together = async (asked: number) =>
      (await members[0]?.shared.charge(quota, [{ bucket: 'a', asked }]))
        ?.get('a')
        ?.map(({ aheadMicros }) => aheadMicros / 1_000);
    await ask(0, quota);
    await ask(0, quota);
    expect(await together(4)).toEqual([3, 4, 5, 6]);
    expect(statements).toHaveLength(2);
    expect(await together(4)).toEqual([7, 8, 9, 10]);
    expect(statements.slice(2)).toEqual([[{ bucket: 'a', asked: 2 + 5 }]]);
  });

  it('expire once their time has come', async () => {
    const { clock, ask, statements } = deployment(1);
    await ask(0, quota);
    await ask(0, quota);
    clock.micros += 8_000;
    expect(await ask(0, quota)).toEqual({ allowed: true, aheadMicros: 1_000 });
    expect(statements).toHaveLength(3);
  });

  it('are given up after a second, so that no answer shows an old state', async () => {
    const { clock, ask } = deployment(2);
    const slower: Quota = { quantity: 100, windowSeconds: 1, burst: 1_000 };
    for (let index = 0; index < 100; index += 1) await ask(0, slower);
    for (let index = 0; index < 800; index += 1) await ask(1, slower);
    // 62 were held; the remaining ones have not begun yet.
    clock.micros += 1_000_000;
    const { remaining } = quotaState(slower, await ask(0, slower));
    expect(remaining).toBeLessThanOrEqual(1_000 - 900 + 100 - 1);
  });

  it('are requested at the pace of a bucket that is ahead, so that a slower client pays for its requests only', async () => {
    const { clock, ask, statements } = deployment(1);
    const slower: Quota = { quantity: 100, windowSeconds: 1, burst: 1_000 };
    for (let index = 0; index < 900; index += 1) await ask(0, slower);
    statements.length = 0;
    for (let index = 0; index < 20; index += 1) {
      clock.micros += 400_000;
      await ask(0, slower);
    }
    expect(statements.flat().reduce((sum, { asked }) => sum + asked, 0)).toBeLessThanOrEqual(22);
    expect(statements.length).toBeLessThan(12);
  });

  it('never allow more than the quota grants, in any interval and at any number of gateways', async () => {
    const seed = testSeed('held slots');
    const step = fc.record({
      gateway: fc.nat(2),
      requests: fc.integer({ min: 1, max: 60 }),
      pauseMicros: fc.oneof(fc.nat(3_000), fc.nat(80_000)),
      statementMicros: fc.nat(3_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const { clock, ask } = deployment(3);
        const granted: number[] = [];
        for (const { gateway, requests, pauseMicros, statementMicros } of steps) {
          clock.statementMicros = statementMicros;
          for (let index = 0; index < requests; index += 1) {
            const began = clock.micros;
            if ((await ask(gateway, quota)).allowed) granted.push(began);
            clock.micros += 50;
          }
          clock.micros += pauseMicros;
        }
        // The quota's own criterion: no interval has more than the burst and the units of its length. It holds if this
        // bucket never runs further ahead than its capacity. A request is counted while its statement is in flight.
        let arrival = 0;
        let ahead = 0;
        for (const at of granted) {
          arrival = Math.max(arrival, at) + emissionMicros(quota);
          ahead = Math.max(ahead, arrival - at);
        }
        expect(ahead).toBeLessThanOrEqual(capacityMicros(quota) + 3_000);
      }),
      { seed, numRuns: 50 },
    );
  });
});
