import { describe, expect, it } from '@jest/globals';
import { LaunchClientError, type CustomLaunch } from '@launch/sdk';
import type { LaunchClients } from '../../session/session-clients.js';
import { findOwned, pauseAfter } from './find-owned.js';
import { factsOf } from './launch-facts.js';
import { aLaunch, aMultiRoleLaunch } from './owned-launch.fixture.js';

const ID = '5b0c1c1e-6a3f-4c0e-9d55-0c8f3d1f6f10';
const fails = (code: string, status: number) => (): Promise<never> =>
  Promise.reject(new LaunchClientError(code, 'said', { status }));
const absent = { get: fails('NOT_FOUND', 404) };

const clientsOf = (clients: object): LaunchClients =>
  ({
    launches: absent,
    plans: { get: fails('PLAN_NOT_FOUND', 422) },
    multiRole: absent,
    ...clients,
  }) as unknown as LaunchClients;

describe('The search for a launch', () => {
  it('finds the family that has the id', async () => {
    const { value } = aMultiRoleLaunch();
    const found = await findOwned(clientsOf({ multiRole: { get: () => Promise.resolve(value) } }), ID);
    expect(found).toEqual({ kind: 'multi-role', value });
  });

  it('ends with 404 if no family has it, and asks nothing for a text that is no id', async () => {
    await expect(findOwned(clientsOf({}), ID)).rejects.toMatchObject({ status: 404 });
    const silent = { get: fails('SERVICE_UNAVAILABLE', 503) };
    await expect(
      findOwned(clientsOf({ launches: silent, plans: silent, multiRole: silent }), '../x'),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('does not call a launch absent while a family could not be read', async () => {
    const plans = { get: fails('SERVICE_UNAVAILABLE', 503) };
    await expect(findOwned(clientsOf({ plans }), ID)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('The pause between two reads of a launch', () => {
  const pause = (status: CustomLaunch['status']): number | null =>
    pauseAfter(factsOf(aLaunch({ status, failure: null })));

  it('grows with the time that the stage takes', () => {
    const stages = ['admitting', 'awaiting_wallet_signature', 'sequencer_soft_confirmed', 'ethereum_posted'] as const;
    expect(stages.map(pause)).toEqual([3_000, 5_000, 20_000, 45_000]);
  });

  it('is none after the end of the launch: the page reads no more', () => {
    expect(['finalized', 'failed', 'action_required'].map((status) => pause(status as 'failed'))).toEqual([
      null,
      null,
      null,
    ]);
  });
});
