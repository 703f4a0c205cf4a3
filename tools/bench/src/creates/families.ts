import { Pool } from 'pg';
import type { BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { compared, itemsPerSecond } from '../measure/sampling.js';
import { packInventory } from '../stack/inventory-request.js';
import { freshLaunch, renonced } from '../stack/reference-requests.js';
import { CUSTOM_LAUNCHES, packedLaunch, packedPlan, PLANS, renoncedText } from '../stack/custom-launch-requests.js';
import { allStarted } from './all-started.js';

const CONCURRENCY = 16;
const ROUNDS = 5;
const REQUESTS = 96;
const WARM_UP = 64;

/**
 * Creates of custom launches and of plans beside creates of multi-role launches, all of the inventory project and
 * equally long. The families take turns, and the workflows of one have started before the next begins.
 */
export async function measureFamilies(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  await stack.running.services.kill('admission-worker', 'SIGTERM', { hold: true });
  const multiRole = await packInventory(freshLaunch(stack.context, stack.controller));
  const longest = Math.max(...renonced(multiRole, 8).map(({ byteLength }) => byteLength));
  const [launch, plan] = [await packedLaunch(stack), await packedPlan(stack)];
  if (Math.max(launch.byteLength, plan.byteLength) > longest) throw new Error('the multi-role request is the shorter');
  const families = {
    multiRole: { route: undefined, bodies: (count: number) => renonced(multiRole, count) },
    v4: { route: CUSTOM_LAUNCHES, bodies: (count: number) => renoncedText(launch, count, longest) },
    plan: { route: PLANS, bodies: (count: number) => renoncedText(plan, count, longest) },
  } as const;
  type Family = keyof typeof families;
  const samples: Record<Family, number[]> = { multiRole: [], v4: [], plan: [] };
  const database = new Pool({ connectionString: stack.gatewayDatabaseUrl, max: 1 });
  const rate = async (family: Family, count: number): Promise<number> => {
    const { route, bodies } = families[family];
    const ids: string[] = [];
    const accepted = await itemsPerSecond(bodies(count), CONCURRENCY, async (bytes) => {
      ids.push(await stack.gateway.create(bytes, route));
    });
    await allStarted(database, ids);
    return accepted;
  };
  const order: readonly Family[] = ['multiRole', 'v4', 'plan'];
  try {
    world.say(`${REQUESTS} requests of ${longest} bytes, ${CONCURRENCY} at a time, ${ROUNDS} rounds of each family`);
    for (const family of order) await rate(family, WARM_UP);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index] of order.entries()) {
        const family = order[(index + round) % order.length]!;
        samples[family].push(await rate(family, REQUESTS));
      }
  } finally {
    await database.end();
  }
  const about = { unit: 'creates/s', better: 'higher', summary: 'median' } as const;
  const peerName = 'creates of multi-role launches of as many bytes';
  return (['v4', 'plan'] as const).map((family) =>
    compared(
      { ...about, name: `creates.families.${family}`, peerName },
      { ours: samples[family], peer: samples.multiRole },
    ),
  );
}
