import { EXPLORE_PATH, INDEX_STATUS_PATH, INDEXED_LAUNCHES_PATH } from '@launch/contracts/index';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { compared } from '../measure/sampling.js';
import { startChargedAskingFastify } from '../reads/bare-fastify.js';
import { answered, besides, CONNECTIONS } from '../reads/besides.js';
import type { Question } from '../reads/charged-asking-fastify.child.js';
import { PLENTY } from '../stack/bench-stack.js';
import { EXPLORE, FEED, STATUS } from './index-questions.js';
import { fillIndex, holdIndex } from './indexed-table.js';
import { pageDepth } from './page-depth.js';

const ANSWERS = 3_000;
/** Enough for full pages; a peer that counts them for each answer is not held up by it. */
const LAUNCHES = 1_000;
/** Writing a million takes longer than all other benches. */
const DEEP = { usual: 100_000, full: 1_000_000 } as const;
const PEER =
  'bare Fastify, the same charge of the address, the same SQL through bare pg for each request, sending the same bytes';

interface IndexRead {
  readonly name: string;
  readonly path: string;
  readonly questions: readonly Question[];
}
const READS: readonly IndexRead[] = [
  { name: 'feed', path: INDEXED_LAUNCHES_PATH, questions: FEED },
  { name: 'explore', path: EXPLORE_PATH, questions: EXPLORE },
  { name: 'status', path: INDEX_STATUS_PATH, questions: STATUS },
];

async function measured(
  world: BenchWorld,
  name: string,
  { path, questions }: IndexRead,
  isHeld: boolean,
): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const { same, question, etag } = await answered(stack, path);
  const peer = await startChargedAskingFastify({
    ...same,
    charge: { databaseUrl: stack.gatewayDatabaseUrl, quota: PLENTY },
    databaseUrl: await stack.indexDatabaseUrl('launch_indexer_reader'),
    connections: CONNECTIONS,
    questions,
    etag,
  });
  const asked = isHeld
    ? { ...question, headers: `if-none-match: ${etag}\r\n`, status: 304 as const, bodyBytes: 0 }
    : question;
  return besides(world, { name, peer, peerName: PEER, question: { ...asked, answers: ANSWERS } });
}

async function prepareIndex(world: BenchWorld): Promise<void> {
  const stack = await world.stack();
  await holdIndex(stack);
  await fillIndex(stack, LAUNCHES);
}

async function measureDepth(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  await holdIndex(stack);
  const launches = world.isFull ? DEEP.full : DEEP.usual;
  world.say(`index.reads.depth: writing ${launches} launches`);
  await fillIndex(stack, launches);
  world.say('index.reads.depth: following the cursors');
  const { pages, ...samples } = await pageDepth(stack.running.stack.gateway, launches);
  world.say(`index.reads.depth: ${pages} pages`);
  const about = { unit: 'ms', better: 'lower', peerName: 'the first pages of the same list' } as const;
  return [
    compared({ ...about, name: 'index.reads.depth.p50', summary: 'median' }, samples),
    compared({ ...about, name: 'index.reads.depth.p99', summary: 'p99' }, samples),
  ];
}

const nameOf = (name: string): string => `index.reads.${name}`;

/** Public reads of the index. They hold the indexer and fill its tables, so that nothing of the stack is measured behind them. */
export const indexReadBenches: readonly Bench[] = [
  ...READS.map((read): Bench => ({
    name: nameOf(read.name),
    needsStack: true,
    run: async (world) => {
      await prepareIndex(world);
      return measured(world, nameOf(read.name), read, false);
    },
  })),
  {
    name: nameOf('not-modified'),
    needsStack: true,
    run: async (world) => {
      await prepareIndex(world);
      return measured(world, nameOf('not-modified'), READS[0]!, true);
    },
  },
  { name: nameOf('depth'), needsStack: true, run: measureDepth },
];
