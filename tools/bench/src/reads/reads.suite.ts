import { LIMITS, MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alternate, compared } from '../measure/sampling.js';
import { packFresh } from '../stack/reference-requests.js';
import { startBareFastify } from './bare-fastify.js';
import { answersPerSecond } from './kept-connections.js';
import { publishRecords } from './published-records.js';

const CONNECTIONS = 16;
const ROUNDS = 7;
const ANSWERS = 4_000;
const WARM_UP = 4_000;
const PEER = 'bare Fastify sending the same bytes';

/** Rate of a public read beside a bare server that sends the same body, over as many kept connections. */
async function measureRead(world: BenchWorld, name: string, target: string): Promise<Measurement> {
  const { running } = await world.stack();
  const origin = running.stack.gateway;
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
  const rate = (port: number, count: number) =>
    answersPerSecond({ port, path: target, bodyBytes: body.length }, CONNECTIONS, count);
  const port = Number(new URL(origin).port);
  try {
    world.say(`${name}: ${ANSWERS} answers of ${body.length} bytes, ${CONNECTIONS} at a time, ${ROUNDS} rounds`);
    for (const each of [port, peer.port]) await rate(each, WARM_UP);
    const samples = await alternate(ROUNDS, { ours: () => rate(port, ANSWERS), peer: () => rate(peer.port, ANSWERS) });
    return compared({ name, unit: 'answers/s', better: 'higher', summary: 'median', peerName: PEER }, samples);
  } finally {
    await peer.close();
  }
}

/** The first page of the feed, which is full, and the second, which is one record short of it and may grow at any time. */
async function measureFeed(world: BenchWorld): Promise<readonly Measurement[]> {
  const { context, controller, gateway, gatewayDatabaseUrl } = await world.stack();
  const { request } = await packFresh(context, controller);
  await publishRecords(gatewayDatabaseUrl, request, 2 * LIMITS.finalizedListDefault - 1);
  const first = `${MULTI_ROLE_BASE_PATH}/finalized`;
  const { nextCursor } = (await gateway.read(first)) as { nextCursor: string };
  return [
    await measureRead(world, 'reads.feed', first),
    await measureRead(world, 'reads.feed.last', `${first}?cursor=${nextCursor}`),
  ];
}

export const readBenches: readonly Bench[] = [
  {
    name: 'reads.capabilities',
    needsStack: true,
    run: async (world) => [await measureRead(world, 'reads.capabilities', `${MULTI_ROLE_BASE_PATH}/capabilities`)],
  },
  { name: 'reads.feed', needsStack: true, run: measureFeed },
];
