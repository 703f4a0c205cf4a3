import type { BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { processorTimeOf } from '../measure/processor-time.js';
import { alternate, compared, itemsPerSecond } from '../measure/sampling.js';
import { UNBOUNDED } from '../stack/bench-stack.js';
import { packFresh, renonced } from '../stack/reference-requests.js';
import { startTraceSink } from './trace-sink.js';

const ROUNDS = 4;
const CONCURRENCY = 4;
/** Creates after which V8 has optimised the gateway's frequent functions. */
const WARM_UP = 100;
const CREATES = 200;

/** Processor time of a create in a gateway that sends every trace, beside one that traces nothing. */
export async function measureTracedCreates(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { services } = stack.running;
  await services.kill('admission-worker', 'SIGTERM', { hold: true });
  const { request } = await packFresh(stack.context, stack.controller);
  const collector = await startTraceSink();
  const create = (count: number): Promise<number> =>
    itemsPerSecond(renonced(request, count), CONCURRENCY, async (bytes) => void (await stack.gateway.create(bytes)));
  const perCreate = async (traces: Record<string, string>): Promise<number> => {
    await services.restart('api-gateway', { ...UNBOUNDED, ...traces });
    const pid = services.pid('api-gateway');
    if (pid === undefined) throw new Error('the gateway does not run');
    await create(WARM_UP);
    const before = processorTimeOf(pid) ?? 0;
    await create(CREATES);
    return ((processorTimeOf(pid) ?? 0) - before) / CREATES;
  };
  try {
    world.say(`${CREATES} creates a round, ${ROUNDS} rounds with traces and ${ROUNDS} without`);
    const samples = await alternate(ROUNDS, {
      ours: () => perCreate({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }),
      peer: () => perCreate({}),
    });
    if (collector.received() === 0) throw new Error('the gateway sent no trace');
    const about = { name: 'creates.traced', unit: 'ms', better: 'lower', summary: 'best' } as const;
    return [compared({ ...about, peerName: 'the same gateway without traces' }, samples)];
  } finally {
    await services.restart('api-gateway', UNBOUNDED);
    await collector.close();
  }
}
