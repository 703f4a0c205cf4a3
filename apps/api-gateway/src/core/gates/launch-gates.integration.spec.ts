import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { LaunchGatesRepository } from './launch-gates.repository.js';
import { LaunchGatesService } from './launch-gates.service.js';
import { RELEASE_EXAMPLE } from './release.example.js';
import { UNBOUND_RELEASE } from './custom-launch-release.js';

let gateway: Harness;
let repository: LaunchGatesRepository;
beforeAll(async () => {
  gateway = await startHarness();
  repository = new LaunchGatesRepository(gateway.database);
});
afterAll(() => gateway.close());

const ALL_CLOSED = { publicAuthorization: false, publicWrites: false, releaseReady: false };
const set = (gate: 'publicWrites' | 'releaseReady', isOpen: boolean) =>
  repository.set({ gates: [gate], isOpen, setBy: 'test' });

it('applies a change in every gateway a second after the last poll, and needs more than the operator’s flag for releaseReady', async () => {
  const clock = { at: 0, now: () => clock.at };
  let release = UNBOUND_RELEASE.state();
  const gateways = [0, 1].map(
    () => new LaunchGatesService(repository, { ...UNBOUND_RELEASE, state: () => release }, clock),
  );
  const readAll = () => Promise.all(gateways.map((one) => one.read()));

  for (const { gates, reasonCodes } of await readAll())
    expect([gates, reasonCodes]).toEqual([
      ALL_CLOSED,
      ['CONTEXT_NOT_CONFIGURED', 'PUBLIC_AUTHORIZATION_CLOSED', 'PUBLIC_WRITES_CLOSED', 'RELEASE_NOT_DECLARED_READY'],
    ]);
  expect([await set('publicWrites', true), await set('releaseReady', true)]).toEqual([
    ['publicWrites'],
    ['releaseReady'],
  ]);
  clock.at = 999;
  for (const { gates } of await readAll()) expect(gates).toEqual(ALL_CLOSED);
  clock.at = 1_000;
  for (const { gates, reasonCodes } of await readAll())
    expect([gates, reasonCodes]).toEqual([
      { ...ALL_CLOSED, publicWrites: true },
      ['CONTEXT_NOT_CONFIGURED', 'PUBLIC_AUTHORIZATION_CLOSED'],
    ]);
  release = RELEASE_EXAMPLE;
  for (const { gates } of await readAll())
    expect(gates).toEqual({ publicAuthorization: false, publicWrites: true, releaseReady: true });
  release = { ...RELEASE_EXAMPLE, reasonCodes: ['PRICE_FEED_CODE_MISMATCH'] };
  for (const { gates, reasonCodes } of await readAll())
    expect([gates.releaseReady, reasonCodes]).toEqual([
      false,
      ['PRICE_FEED_CODE_MISMATCH', 'PUBLIC_AUTHORIZATION_CLOSED'],
    ]);
  expect(await set('releaseReady', true)).toEqual([]);
});

it('throws while the database does not answer, and retries afterwards', async () => {
  let away = true;
  const clock = { now: () => 0 };
  const service = new LaunchGatesService(
    {
      open: async () => {
        if (away) throw new Error('no database');
        return new Set();
      },
    } as unknown as LaunchGatesRepository,
    UNBOUND_RELEASE,
    clock,
  );
  await expect(service.read()).rejects.toThrow('no database');
  away = false;
  expect((await service.read()).gates).toEqual(ALL_CLOSED);
});

it('stores concurrent changes of operators in one order, each different from the one before it', async () => {
  const before = (await repository.changes()).length;
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      repository.set({ gates: ['publicAuthorization'], isOpen: index % 2 === 0, setBy: `operator ${index}` }),
    ),
  );
  const changes = (await repository.changes()).slice(0, -before).reverse();
  expect(changes.map(({ isOpen }) => isOpen)).toEqual(changes.map((_, index) => index % 2 === 0));
  expect(changes.map(({ change }) => change)).toEqual(changes.map((_, index) => BigInt(before + index + 1)));
});
