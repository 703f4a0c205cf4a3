import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openGatewayDatabase, type OpenedDatabase } from '../../fixtures/gateway-database.js';
import { LaunchGatesRepository } from './launch-gates.repository.js';

let opened: OpenedDatabase;
let repository: LaunchGatesRepository;
beforeAll(async () => {
  opened = await openGatewayDatabase();
  repository = new LaunchGatesRepository(opened.database);
});
afterAll(() => opened.close());

it('Every gate is closed until it is set, and setting it to its current state is no change.', async () => {
  expect(await repository.open()).toEqual(new Set());
  const set = (isOpen: boolean) => repository.set({ gates: ['publicWrites', 'releaseReady'], isOpen, setBy: 'test' });
  expect((await set(true)).toSorted()).toEqual(['publicWrites', 'releaseReady']);
  expect(await repository.open()).toEqual(new Set(['publicWrites', 'releaseReady']));
  expect(await set(true)).toEqual([]);
  await set(false);
  expect(await repository.open()).toEqual(new Set());
});

it('Concurrent changes of operators are stored in one order, and each differs from the previous one.', async () => {
  await repository.set({ gates: ['publicWrites'], isOpen: true, setBy: 'test' });
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
