import { expect, it } from '@jest/globals';
import type { LaunchGate } from '@launch/contracts/reports';
import { UNBOUND_RELEASE } from './custom-launch-release.js';
import { LaunchGatesService } from './launch-gates.service.js';
import { RELEASE_EXAMPLE } from './release.example.js';

const ALL_CLOSED = { publicAuthorization: false, publicWrites: false, releaseReady: false };

it('A change of a gate applies in every gateway a second after the last poll.', async () => {
  let open: ReadonlySet<LaunchGate> = new Set();
  const clock = { at: 0, now: () => clock.at };
  const gateways = [0, 1].map(() => new LaunchGatesService({ open: async () => open }, UNBOUND_RELEASE, clock));
  const gatesOf = () => Promise.all(gateways.map(async (one) => (await one.read()).gates));

  expect(await gatesOf()).toEqual([ALL_CLOSED, ALL_CLOSED]);
  open = new Set(['publicWrites']);
  clock.at = 999;
  expect(await gatesOf()).toEqual([ALL_CLOSED, ALL_CLOSED]);
  clock.at = 1_000;
  const opened = { ...ALL_CLOSED, publicWrites: true };
  expect(await gatesOf()).toEqual([opened, opened]);
});

it('The gate releaseReady opens only when an operator declares it and there is no reason against the release.', async () => {
  let release = UNBOUND_RELEASE.state();
  const open = new Set<LaunchGate>();
  const read = async () => {
    const service = new LaunchGatesService(
      { open: async () => open },
      { ...UNBOUND_RELEASE, state: () => release },
      { now: () => 0 },
    );
    const { gates, reasonCodes } = await service.read();
    return [gates.releaseReady, reasonCodes];
  };
  const CLOSED = ['PUBLIC_AUTHORIZATION_CLOSED', 'PUBLIC_WRITES_CLOSED'];

  expect(await read()).toEqual([false, ['CONTEXT_NOT_CONFIGURED', ...CLOSED, 'RELEASE_NOT_DECLARED_READY']]);
  open.add('releaseReady');
  expect(await read()).toEqual([false, ['CONTEXT_NOT_CONFIGURED', ...CLOSED]]);
  release = RELEASE_EXAMPLE;
  expect(await read()).toEqual([true, CLOSED]);
  release = { ...RELEASE_EXAMPLE, reasonCodes: ['PRICE_FEED_CODE_MISMATCH'] };
  expect(await read()).toEqual([false, ['PRICE_FEED_CODE_MISMATCH', ...CLOSED]]);
});

it('A reading of the gates fails while the database does not answer, and the next one asks again.', async () => {
  let away = true;
  const open = async (): Promise<ReadonlySet<LaunchGate>> => {
    if (away) throw new Error('no database');
    return new Set();
  };
  const service = new LaunchGatesService({ open }, UNBOUND_RELEASE, { now: () => 0 });
  await expect(service.read()).rejects.toThrow('no database');
  away = false;
  expect((await service.read()).gates).toEqual(ALL_CLOSED);
});
