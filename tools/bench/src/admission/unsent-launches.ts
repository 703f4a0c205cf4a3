import { connectTemporal } from '@launch/temporal';
import type { BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { compared } from '../measure/sampling.js';
import { packFresh } from '../stack/reference-requests.js';
import { admitted } from './admitted.js';

const UNSENT = 200;
const EDGE = 20;

/** Launches one after the other, none of which is ever sent: whether watching the earlier ones slows the later ones. */
export async function measureUnsent(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { address, namespace } = stack.running.stack.temporal;
  const temporal = await connectTemporal({ address, namespace });
  try {
    world.say(`${UNSENT} launches one after the other, none of which is sent`);
    const totals: number[] = [];
    while (totals.length < UNSENT) {
      const { bytes } = await packFresh(stack.context, stack.controller);
      totals.push((await admitted(temporal, await stack.gateway.create(bytes))).total);
    }
    return [
      compared(
        {
          name: 'admission.unsent.p50',
          unit: 'ms',
          better: 'lower',
          summary: 'median',
          peerName: `the first ${EDGE} of the ${UNSENT}`,
        },
        { ours: totals.slice(-EDGE), peer: totals.slice(0, EDGE) },
      ),
    ];
  } finally {
    await temporal.close();
  }
}
