import {
  CHAIN_ID,
  launchReportPath,
  LIMITS,
  MULTI_ROLE_BASE_PATH,
  PLAN_LIMITS,
  PLAN_PATHS,
  PLAN_RESPONSE_VERSION_HEADER,
} from '@launch/contracts';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { processorTimeOf } from '../measure/processor-time.js';
import { alternate, compared, type PairedSamples } from '../measure/sampling.js';
import { PLENTY, type BenchStack } from '../stack/bench-stack.js';
import { packFresh } from '../stack/reference-requests.js';
import type { BareAnswer } from './bare-fastify.child.js';
import { startAskingFastify, startBareFastify, startChargedFastify, type BareFastify } from './bare-fastify.js';
import { answersPerSecond, type Asked } from './kept-connections.js';
import { fillPlans, plansPage } from './plans-page.js';
import { publishRecords } from './published-records.js';

const CONNECTIONS = 16;
const ROUNDS = 5;
/** A second of a busy core and more, so that the processor's ticks do not show. */
const ANSWERS = 20_000;
/** A page of plans is a question to the database. */
const PAGES = 1_200;
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

/** What is asked again and again, and how often in a round. */
interface Question extends Omit<Asked, 'port'> {
  readonly answers: number;
}

async function pace({ port, pid }: Server, { answers, ...asked }: Question): Promise<Pace> {
  const before = processorTimeOf(pid);
  const byClock = await answersPerSecond({ port, ...asked }, CONNECTIONS, answers);
  const after = processorTimeOf(pid);
  return {
    byClock,
    byProcessor: before === undefined || after === undefined ? undefined : (answers * 1_000) / (after - before),
  };
}

/** The gateway's answer to one question, and what a server that sends the same needs of it. */
async function answered({ running }: BenchStack, target: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${running.stack.gateway}${target}`, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`GET ${target} answers ${answer.status}`);
  const same: BareAnswer = {
    path: target.replace(/\?.*$/, ''),
    contentType: answer.headers.get('content-type') ?? '',
    bodyBase64: body.toString('base64'),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { same, question: { path: target, headers: lines.join(''), bodyBytes: body.length } };
}

interface Compared {
  readonly name: string;
  readonly peer: BareFastify;
  readonly peerName: string;
  readonly question: Question;
}

/** Rate of a read beside a server that sends the same body, over as many kept connections, by both times. It ends the peer. */
async function besides(
  world: BenchWorld,
  { name, peer, peerName, question }: Compared,
): Promise<readonly Measurement[]> {
  const samples = { byClock: noSamples(), byProcessor: noSamples() };
  const take = async (side: 'ours' | 'peer', server: Server): Promise<number> => {
    const { byClock, byProcessor } = await pace(server, question);
    samples.byClock[side].push(byClock);
    if (byProcessor !== undefined) samples.byProcessor[side].push(byProcessor);
    return byClock;
  };
  try {
    const { running } = await world.stack();
    const pid = running.services.pid('api-gateway');
    if (pid === undefined) throw new Error('the gateway does not run');
    const gateway = { port: Number(new URL(running.stack.gateway).port), pid };
    const { answers, bodyBytes } = question;
    world.say(`${name}: ${answers} answers of ${bodyBytes} bytes, ${CONNECTIONS} at a time, ${ROUNDS} rounds`);
    for (const server of [gateway, peer]) await pace(server, { ...question, answers: answers / 2 });
    await alternate(ROUNDS, { ours: () => take('ours', gateway), peer: () => take('peer', peer) });
  } finally {
    await peer.close();
  }
  const about = { unit: 'answers/s', better: 'higher', summary: 'median', peerName } as const;
  return [
    compared({ ...about, name }, samples.byClock),
    ...(samples.byProcessor.ours.length === ROUNDS
      ? [compared({ ...about, name: `${name}.processor` }, samples.byProcessor)]
      : []),
  ];
}

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

/** A full page of plans, beside a server that asks the database for the same page and sends the same bytes. */
async function measurePlans(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const route = PLAN_PATHS.list.replace('{chainId}', String(CHAIN_ID));
  await fillPlans(stack, PLAN_LIMITS.listMax + 1);
  const { same, question } = await answered(stack, route, {
    authorization: `Bearer ${stack.apiKey}`,
    [PLAN_RESPONSE_VERSION_HEADER]: '1.2',
  });
  const asked = await plansPage(stack);
  const peer = await startAskingFastify({ ...same, ...asked, connections: CONNECTIONS });
  const peerName = 'bare pg, the same SQL, behind bare Fastify sending the same bytes';
  return besides(world, { name: 'reads.plans', peer, peerName, question: { ...question, answers: PAGES } });
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
  { name: 'reads.launch-guide', needsStack: true, run: measureGuide },
  { name: 'reads.plans', needsStack: true, run: measurePlans },
];
