import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@launch/platform';
import { RelayService } from './relay.service.js';
import type { Carried, RelayedKind } from './relayed.js';

/** Creates a kind whose resources are carried into a list; `broken` ones cannot be started. */
function kindOf(kind: string, ids: string[], broken: readonly string[] = []) {
  const carried: string[] = [];
  const retried: string[] = [];
  const carriedOf = (id: string): Carried => ({
    id,
    carry: async () => {
      if (broken.includes(id)) throw new Error('Temporal is away');
      carried.push(id);
    },
  });
  const relayed = {
    kind,
    takeDue: async (limit: number) => ids.splice(0, limit).map(carriedOf),
    find: async (id: string) => (id === 'finished' ? null : carriedOf(id)),
    retrySoon: async (id: string) => void retried.push(id),
  } as unknown as RelayedKind;
  return { relayed, carried, retried, name: (id: string) => ({ kind: relayed.kind, id }) };
}

const relayOf = (...kinds: readonly { readonly relayed: RelayedKind }[]): RelayService => {
  const relay = new RelayService(createLogger({ service: 'relay-tests', level: 'silent' }));
  for (const { relayed } of kinds) relay.register(relayed);
  return relay;
};

describe('The relay', () => {
  it('sweeps every kind to its end, even when another kind fails', async () => {
    const launches = kindOf('launch', ['a', 'b'], ['a']);
    const plans = kindOf(
      'plan',
      Array.from({ length: 45 }, (_, index) => `plan-${index}`),
    );
    expect(await relayOf(launches, plans).sweep()).toBe(47);
    expect([launches.carried, launches.retried]).toEqual([['b'], ['a']]);
    expect(plans.carried).toHaveLength(45);
  });

  it('carries one resource by its kind and id, and leaves a finished one alone', async () => {
    const [launches, plans] = [kindOf('launch', []), kindOf('plan', [])];
    const relay = relayOf(launches, plans);
    await relay.move(plans.name('same-id'));
    await relay.move(launches.name('finished'));
    expect([launches.carried, plans.carried]).toEqual([[], ['same-id']]);
  });

  it('refuses an unregistered kind', async () => {
    await expect(relayOf().move(kindOf('launch', []).name('a'))).rejects.toThrow('nothing carries a launch');
  });
});
