import { connectTemporal, type TemporalClient } from '@launch/temporal';
import type { BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alternate, compared, itemsPerSecond } from '../measure/sampling.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { packFresh } from '../stack/reference-requests.js';
import { admitted } from './admitted.js';

const ROUNDS = 3;
const LAUNCHES = 16;
/** The number of activities that two workers run at once by default. */
const AT_ONCE = 8;

/** Admissions a second, from each launch's create to its hand-off. */
async function rate(stack: BenchStack, temporal: TemporalClient, launches = LAUNCHES): Promise<number> {
  const bodies: Uint8Array[] = [];
  while (bodies.length < launches) bodies.push((await packFresh(stack.context, stack.controller)).bytes);
  return itemsPerSecond(bodies, AT_ONCE, async (bytes) => {
    await admitted(temporal, await stack.gateway.create(bytes));
  });
}

/** Measures the gain of a second admission worker on the same machine. It starts for its own rounds and warms up with uncounted launches. */
export async function measureScale(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { address, namespace } = stack.running.stack.temporal;
  const temporal = await connectTemporal({ address, namespace });
  try {
    world.say(`${LAUNCHES} launches a round, ${AT_ONCE} at a time, by two admission workers and by one`);
    await rate(stack, temporal, AT_ONCE);
    const samples = await alternate(ROUNDS, {
      ours: async () => {
        const second = await stack.secondAdmissionWorker();
        try {
          await rate(stack, temporal, AT_ONCE);
          return await rate(stack, temporal);
        } finally {
          await second.rest();
        }
      },
      peer: () => rate(stack, temporal),
    });
    return [
      compared(
        {
          name: 'admission.scale',
          unit: 'admissions/s',
          better: 'higher',
          summary: 'median',
          peerName: 'one admission worker',
        },
        samples,
      ),
    ];
  } finally {
    await temporal.close();
  }
}
