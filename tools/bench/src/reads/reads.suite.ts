import { PLAN_PATHS, PLAN_RESPONSE_VERSION_HEADER } from '@launch/contracts/plans';
import { CHAIN_ID, LIMITS } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { launchReportPath } from '@launch/contracts/reports';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { PLENTY } from '../stack/bench-stack.js';
import { packFresh } from '../stack/reference-requests.js';
import { startAskingFastify, startBareFastify, startChargedFastify } from './bare-fastify.js';
import { answered, besides, CONNECTIONS } from './besides.js';
import { offeredPlans } from './plans-page.js';
import { publishRecords } from './published-records.js';

/** A second of a busy core and more, so that the processor's ticks do not show. */
const ANSWERS = 20_000;
/** A page of plans is a question to the database. */
const PAGES = 1_200;
const PEER = 'bare Fastify sending the same bytes';

async function measureRead(world: BenchWorld, name: string, target: string): Promise<readonly Measurement[]> {
  const { same, question } = await answered(await world.stack(), target);
  const peer = await startBareFastify([same]);
  return besides(world, { name, peer, peerName: PEER, question: { ...question, answers: ANSWERS } });
}

/** A report, beside a server that charges the address by the same service before it sends the same bytes. */
async function measureGuide(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { same, question } = await answered(stack, launchReportPath('launch-guide'));
  const peer = await startChargedFastify({ ...same, databaseUrl: stack.gatewayDatabaseUrl, quota: PLENTY });
  const peerName = 'bare Fastify sending the same bytes after the same charge of the address';
  return besides(world, { name: 'reads.launch-guide', peer, peerName, question: { ...question, answers: ANSWERS } });
}

/** A full page of offered plans, beside a server that asks the database for the same page and sends the same bytes. */
async function measurePlans(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const route = PLAN_PATHS.list.replace('{chainId}', String(CHAIN_ID));
  const { apiKey, ...asked } = await offeredPlans(stack);
  const { services } = stack.running;
  // The finality worker has nothing to report on the plans until their window ends.
  await services.kill('finality-worker', 'SIGTERM', { hold: true });
  try {
    const { same, question } = await answered(stack, route, {
      authorization: `Bearer ${apiKey}`,
      [PLAN_RESPONSE_VERSION_HEADER]: '1.2',
    });
    const peer = await startAskingFastify({ ...same, ...asked, connections: CONNECTIONS });
    const peerName = 'bare pg, the same SQL, behind bare Fastify sending the same bytes';
    return await besides(world, { name: 'reads.plans', peer, peerName, question: { ...question, answers: PAGES } });
  } finally {
    await services.resume('finality-worker');
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
  { name: 'reads.launch-guide', needsStack: true, run: measureGuide },
  { name: 'reads.plans', needsStack: true, run: measurePlans },
];
