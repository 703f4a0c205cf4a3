import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { createTestDatabase, testSeed, type TestDatabase } from '@launch/testing';
import fc from 'fast-check';
import { AddressBuckets, capacityMicros, emissionMicros, type Quota } from '@launch/platform/quotas';
import { DEFAULT_QUOTAS } from './gateway-quotas.js';
import { RateBucketRepository } from './rate-bucket.repository.js';
import { WorkPlaceRepository } from './work-place.repository.js';
import { runSql } from '../../fixtures/run-sql.js';

/** Refills so slowly that no further request fits while a test runs. */
const quota: Quota = { quantity: 3, windowSeconds: 86_400, burst: 7 };
/** A lease that does not end while a test runs. */
const LONG = 86_400_000;

let test: TestDatabase;
let databases: readonly GatewayDatabase[];
let gateways: readonly RateBucketRepository[];
beforeAll(async () => {
  test = await createTestDatabase('api-gateway');
  databases = [0, 1].map(() =>
    createGatewayDatabase(createPool({ connectionString: test.url, applicationName: 'quota-tests', max: 20 })),
  );
  gateways = databases.map((database) => new RateBucketRepository(database));
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await test.drop();
});

const [one, other] = [() => gateways[0] as RateBucketRepository, () => gateways[1] as RateBucketRepository];
const allowed = async (repository: RateBucketRepository, bucket: string, asked: number): Promise<number> =>
  ((await repository.charge(quota, [{ bucket, asked }])).get(bucket) ?? []).filter((verdict) => verdict.allowed).length;

describe('Shared buckets', () => {
  it('A shared bucket grants as many requests as fit, to the last.', async () => {
    expect(await allowed(one(), 'together', 5)).toBe(5);
    expect(await allowed(other(), 'together', 5)).toBe(2);
    expect(await allowed(one(), 'together', 1)).toBe(0);
    expect(await allowed(one(), 'more than the burst', 1_000)).toBe(7);
  });

  it('A shared bucket grants together the requests that the algorithm grants one by one.', async () => {
    const seed = testSeed('shared buckets');
    const alone = new AddressBuckets();
    const [steps = []] = fc.sample(
      fc.array(fc.record({ place: fc.nat(5), asked: fc.integer({ min: 1, max: 4 }) }), {
        minLength: 40,
        maxLength: 40,
      }),
      { seed, numRuns: 1 },
    );
    for (const [index, { place, asked }] of steps.entries()) {
      const bucket = `bucket ${place}`;
      const verdicts = (await gateways[index % 2]?.charge(quota, [{ bucket, asked }]))?.get(bucket) ?? [];
      const expected = Array.from({ length: asked }, () => alone.take(bucket, quota, 0));
      expect([seed, index, verdicts.map((verdict) => verdict.allowed)]).toEqual([
        seed,
        index,
        expected.map((verdict) => verdict.allowed),
      ]);
      // The database's clock runs meanwhile, so the next grant can only come nearer.
      verdicts.forEach(({ aheadMicros }, nth) => {
        expect(aheadMicros).toBeLessThanOrEqual(expected[nth]?.aheadMicros ?? 0);
        expect(aheadMicros).toBeGreaterThan((expected[nth]?.aheadMicros ?? 0) - emissionMicros(quota));
      });
    }
  });

  it('Gateways that ask at once, in any order, are granted each request once.', async () => {
    const buckets = Array.from({ length: 50 }, (_, index) => `at once ${index}`);
    const charges = buckets.map((bucket) => ({ bucket, asked: 1 }));
    const rounds = Array.from({ length: 10 }, (_, round) => {
      const repository = round % 2 === 0 ? one() : other();
      return repository.charge(quota, round % 2 === 0 ? charges : charges.toReversed());
    });
    const granted = await Promise.all(rounds);
    for (const bucket of buckets)
      expect(granted.filter((verdicts) => verdicts.get(bucket)?.[0]?.allowed)).toHaveLength(quota.burst);
  });

  it('A refusal charges nothing.', async () => {
    await allowed(one(), 'refused', 7);
    const read = async () =>
      (
        await runSql<{ arrival_at: string }>(
          databases[0]!,
          `SELECT arrival_at::text FROM rate_bucket WHERE bucket = 'refused'`,
        )
      )?.[0]?.arrival_at;
    const before = await read();
    expect(await allowed(other(), 'refused', 100)).toBe(0);
    expect(await read()).toBe(before);
  });

  it('A bucket is at most full after a clock was set back.', async () => {
    await runSql(databases[0]!, `INSERT INTO rate_bucket VALUES ('set back', now() + interval '400 days')`);
    const verdict = (await one().charge(quota, [{ bucket: 'set back', asked: 1 }])).get('set back')?.[0];
    expect(verdict).toEqual({ allowed: false, aheadMicros: capacityMicros(quota) });
  });

  it('The sweep deletes buckets that are full again, and no others.', async () => {
    await runSql(
      databases[0]!,
      `INSERT INTO rate_bucket SELECT 'old ' || n, now() - interval '2 minutes' FROM generate_series(1, 6000) AS n`,
    );
    await one().sweep();
    const kept = await runSql<{ bucket: string }>(
      databases[0]!,
      `SELECT bucket FROM rate_bucket WHERE bucket LIKE 'old %' OR bucket = 'refused'`,
    );
    expect(kept).toEqual([{ bucket: 'refused' }]);
  });

  it('The table of buckets is unlogged and has one index, so that updates are in place.', async () => {
    const [table] =
      (await runSql<{ relpersistence: string; indexes: string }>(
        databases[0]!,
        `SELECT relpersistence, (SELECT count(*) FROM pg_index WHERE indrelid = c.oid) AS indexes FROM pg_class c WHERE relname = 'rate_bucket'`,
      )) ?? [];
    expect(table).toEqual({ relpersistence: 'u', indexes: '1' });
  });
});

describe('Units of a shared bucket', () => {
  it('The default storage quota has room for 64 requests of 16 MiB for each key.', async () => {
    const { storage } = DEFAULT_QUOTAS;
    const units = 16 * 1_024;
    const take = async (key: string, index: number): Promise<boolean> =>
      (gateways[index % 2] as RateBucketRepository)
        .takeUnits(`storage/${key}`, storage, units)
        .then((state) => state.allowed);
    const asked = await Promise.all(Array.from({ length: 100 }, (_, index) => take('a', index)));
    expect(asked.filter((allowed) => allowed)).toHaveLength(64);
    const refused = await one().takeUnits('storage/a', storage, units);
    // 16 MiB of 1 GiB a day.
    expect([refused.allowed, refused.remaining, refused.resetSeconds > 1_300, refused.resetSeconds <= 1_350]).toEqual([
      false,
      0,
      true,
      true,
    ]);
    expect(await take('b', 0)).toBe(true);
  });

  it('Units are taken all or none, can be read without being taken, and can be returned.', async () => {
    const state = async (units: number) => (await one().peekUnits('units', quota, units)).allowed;
    expect((await one().takeUnits('units', quota, 5)).allowed).toBe(true);
    expect([(await other().takeUnits('units', quota, 3)).allowed, await state(3), await state(2)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await other().takeUnits('units', quota, 2)).allowed).toBe(true);
    expect(await state(1)).toBe(false);
    await one().giveBackUnits('units', quota, 4);
    expect([await state(4), await state(5)]).toEqual([true, false]);
    expect((await one().takeUnits('never fits', quota, 8)).allowed).toBe(false);
    expect((await one().takeUnits('never fits', quota, 7)).allowed).toBe(true);
  });
});

const owners = async (): Promise<number> =>
  Number((await runSql<{ n: string }>(databases[0]!, 'SELECT count(*) AS n FROM work_place', []))[0]?.n);

describe('Work slots', () => {
  let one: WorkPlaceRepository;
  let other: WorkPlaceRepository;
  beforeAll(() => {
    [one, other] = databases.map((database) => new WorkPlaceRepository(database)) as [
      WorkPlaceRepository,
      WorkPlaceRepository,
    ];
  });

  it('Gateways that ask at once hold no more slots than there are.', async () => {
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).take('crowd', 7, LONG)),
    );
    expect(taken.filter((place) => place !== null)).toHaveLength(7);
    expect(await one.take('somebody else', 7, LONG)).not.toBeNull();
  });

  it('Any gateway can release a slot, and each slot is released once.', async () => {
    const places = [await one.take('pair', 2, LONG), await other.take('pair', 2, LONG)] as [string, string];
    expect(await one.take('pair', 2, LONG)).toBeNull();
    await other.giveBack('pair', places[0]);
    await other.giveBack('pair', places[0]);
    expect(await one.take('pair', 2, LONG)).not.toBeNull();
    expect(await one.take('pair', 2, LONG)).toBeNull();
  });

  it('The slot of a killed process is free again when its lease ends.', async () => {
    await one.take('killed', 1, 0);
    expect(await other.take('killed', 1, LONG)).not.toBeNull();
    expect(await other.take('killed', 1, LONG)).toBeNull();
  });

  it('The sweep deletes owners that hold no slot, and no others.', async () => {
    const before = await owners();
    const given = (await one.take('at rest', 1, LONG)) as string;
    await one.giveBack('at rest', given);
    await one.take('ran out', 1, 0);
    await one.take('at work', 1, LONG);
    expect(await owners()).toBe(before + 3);
    await other.sweep();
    expect(await one.take('at work', 1, LONG)).toBeNull();
    // The sweep also deleted the owners of earlier tests that hold no slot.
    expect(await owners()).toBeLessThanOrEqual(before + 1);
  });
});
