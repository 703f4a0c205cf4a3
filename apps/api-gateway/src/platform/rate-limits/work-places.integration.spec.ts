import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { WorkPlaceRepository } from './work-place.repository.js';
import { runSql } from '../../fixtures/run-sql.js';

/** A lease that does not end while a test runs. */
const LONG = 86_400_000;

let test: TestDatabase;
let databases: readonly GatewayDatabase[];
let one: WorkPlaceRepository;
let other: WorkPlaceRepository;
beforeAll(async () => {
  test = await createTestDatabase('api-gateway');
  databases = [0, 1].map(() =>
    createGatewayDatabase(createPool({ connectionString: test.url, applicationName: 'quota-tests', max: 20 })),
  );
  [one, other] = databases.map((database) => new WorkPlaceRepository(database)) as [
    WorkPlaceRepository,
    WorkPlaceRepository,
  ];
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await test.drop();
});

const owners = async (): Promise<number> =>
  Number((await runSql<{ n: string }>(databases[0]!, 'SELECT count(*) AS n FROM work_place', []))[0]?.n);

describe('work slots', () => {
  it('are held once over all gateways, however many ask at once', async () => {
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).take('crowd', 7, LONG)),
    );
    expect(taken.filter((place) => place !== null)).toHaveLength(7);
    expect(await one.take('somebody else', 7, LONG)).not.toBeNull();
  });

  it('are released one by one, from any gateway', async () => {
    const places = [await one.take('pair', 2, LONG), await other.take('pair', 2, LONG)] as [string, string];
    expect(await one.take('pair', 2, LONG)).toBeNull();
    await other.giveBack('pair', places[0]);
    await other.giveBack('pair', places[0]);
    expect(await one.take('pair', 2, LONG)).not.toBeNull();
    expect(await one.take('pair', 2, LONG)).toBeNull();
  });

  it('of a killed process are free again when their lease ends', async () => {
    await one.take('killed', 1, 0);
    expect(await other.take('killed', 1, LONG)).not.toBeNull();
    expect(await other.take('killed', 1, LONG)).toBeNull();
  });

  it('are deleted for owners that hold none, and for no others', async () => {
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
