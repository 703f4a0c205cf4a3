import { LIMITS, MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { processorTimeOf } from '../measure/processor-time.js';
import { alternate, compared, type PairedSamples } from '../measure/sampling.js';
import { packFresh } from '../stack/reference-requests.js';
import { startBareFastify } from './bare-fastify.js';
import { answersPerSecond } from './kept-connections.js';
import { publishRecords } from './published-records.js';

const CONNECTIONS = 16;
const ROUNDS = 5;
/** A second of a busy core and more, so that the processor's ticks do not show. */
const ANSWERS = 20_000;
const WARM_UP = 10_000;
const PEER = 'bare Fastify sending the same bytes';

interface Server {
  readonly port: number;
  readonly pid: number;
}

interface Pace {
  /** Answers a second of the clock. */
  readonly byClock: number;
  /** Answers a second of the server's own processor time; undefined where the system does not tell it. */
  readonly byProcessor: number | undefined;
}

async function pace({ port, pid }: Server, path: string, bodyBytes: number): Promise<Pace> {
  const before = processorTimeOf(pid);
  const byClock = await answersPerSecond({ port, path, bodyBytes }, CONNECTIONS, ANSWERS);
  const after = processorTimeOf(pid);
  return {
    byClock,
    byProcessor: before === undefined || after === undefined ? undefined : (ANSWERS * 1_000) / (after - before),
  };
}

/** Rate of a public read beside a bare server that sends the same body, over as many kept connections, by both times. */
async function measureRead(world: BenchWorld, name: string, target: string): Promise<readonly Measurement[]> {
  const { running } = await world.stack();
  const origin = running.stack.gateway;
  const pid = running.services.pid('api-gateway');
  if (pid === undefined) throw new Error('the gateway does not run');
  const gateway = { port: Number(new URL(origin).port), pid };
  const answer = await fetch(`${origin}${target}`);
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`GET ${target} answers ${answer.status}`);
  const peer = await startBareFastify([
    {
      path: target.replace(/\?.*$/, ''),
      contentType: answer.headers.get('content-type') ?? '',
      bodyBase64: body.toString('base64'),
    },
  ]);
  const samples = { byClock: noSamples(), byProcessor: noSamples() };
  const take = async (side: 'ours' | 'peer', server: Server): Promise<number> => {
    const { byClock, byProcessor } = await pace(server, target, body.length);
    samples.byClock[side].push(byClock);
    if (byProcessor !== undefined) samples.byProcessor[side].push(byProcessor);
    return byClock;
  };
  try {
    world.say(`${name}: ${ANSWERS} answers of ${body.length} bytes, ${CONNECTIONS} at a time, ${ROUNDS} rounds`);
    for (const { port } of [gateway, peer])
      await answersPerSecond({ port, path: target, bodyBytes: body.length }, CONNECTIONS, WARM_UP);
    await alternate(ROUNDS, { ours: () => take('ours', gateway), peer: () => take('peer', peer) });
  } finally {
    await peer.close();
  }
  const about = { unit: 'answers/s', better: 'higher', summary: 'median', peerName: PEER } as const;
  return [
    compared({ ...about, name }, samples.byClock),
    ...(samples.byProcessor.ours.length === ROUNDS
      ? [compared({ ...about, name: `${name}.processor` }, samples.byProcessor)]
      : []),
  ];
}

const noSamples = (): PairedSamples => ({ ours: [], peer: [] });

/** The first page of the feed, which is full, and the second, which is one record short of it and may grow at any time. */
async function measureFeed(world: BenchWorld): Promise<readonly Measurement[]> {
  const { context, controller, gateway, gatewayDatabaseUrl } = await world.stack();
  const { request } = await packFresh(context, controller);
  await publishRecords(gatewayDatabaseUrl, request, 2 * LIMITS.finalizedListDefault - 1);
  const first = `${MULTI_ROLE_BASE_PATH}/finalized`;
  const { nextCursor } = (await gateway.read(first)) as { nextCursor: string };
  return [
    ...(await measureRead(world, 'reads.feed', first)),
    ...(await measureRead(world, 'reads.feed.last', `${first}?cursor=${nextCursor}`)),
  ];
}

export const readBenches: readonly Bench[] = [
  {
    name: 'reads.capabilities',
    needsStack: true,
    run: (world) => measureRead(world, 'reads.capabilities', `${MULTI_ROLE_BASE_PATH}/capabilities`),
  },
  { name: 'reads.feed', needsStack: true, run: measureFeed },
];
