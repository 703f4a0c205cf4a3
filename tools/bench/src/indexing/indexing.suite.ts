import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from '@launch/contracts/primitives';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alone, compared } from '../measure/sampling.js';
import { FINAL_AFTER_BLOCKS, type PreparedLaunch } from './bench-chain.js';
import { measureBackfill } from './backfill.js';
import { noSamples, POLL_MS, PONDER, SIDES, until, withServers, type Start } from './beside-ponder.js';
import type { IndexServers } from './index-servers.js';
import { canonicalLaunch, canonicalRows, requireEqualRows, type LaunchedRow } from './launched-rows.js';
import { startOwnIndexer, type FollowingSide } from './own-indexer.js';
import { startPonder } from './ponder.peer.js';

const LAUNCHES = 100;
/** Behind each launch: a chain has more blocks than launches. */
const EMPTY_BLOCKS = 3;
const ROUNDS = 3;

/** Launches a second, from a side's first question for logs until its table has the last of them; and its questions. */
async function backfill(
  servers: IndexServers,
  start: Start,
  name: string,
  wanted: readonly LaunchedRow[],
): Promise<{ readonly rate: number; readonly questions: number; readonly exchanges: number }> {
  const side = await start(servers, { name, pollMs: POLL_MS, finalOnly: true });
  try {
    await until(`${side.rows.name} indexes`, async () => (await side.rows.count()) >= wanted.length);
    const milliseconds = performance.now() - side.rpc.firstAskedForLogs()!;
    const questions = [...side.rpc.counts().values()].reduce((sum, count) => sum + count, 0);
    const exchanges = side.rpc.exchanges();
    requireEqualRows(side.rows.name, (await side.rows.read()) ?? [], wanted, canonicalLaunch);
    return {
      rate: (wanted.length * 1_000) / milliseconds,
      questions: questions / wanted.length,
      exchanges: exchanges / wanted.length,
    };
  } finally {
    await side.stop();
  }
}

async function measureVerified(world: BenchWorld): Promise<readonly Measurement[]> {
  return withServers(world, async (servers) => {
    const { chain } = servers;
    world.say(`indexing.verified: making ${LAUNCHES} launches`);
    const wanted = await chain.launch(chain.prepare(LAUNCHES), EMPTY_BLOCKS);
    await chain.mine(FINAL_AFTER_BLOCKS);
    const [rates, questions, exchanges] = [noSamples(), noSamples(), noSamples()];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [side, start] of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
        const measured = await backfill(servers, start, `verified-${side}-${round}`, wanted);
        rates[side].push(measured.rate);
        questions[side].push(measured.questions);
        exchanges[side].push(measured.exchanges);
      }
    const about = { peerName: PONDER, summary: 'median' } as const;
    return [
      compared({ ...about, name: 'indexing.verified', unit: 'launches/s', better: 'higher' }, rates),
      compared({ ...about, name: 'indexing.verified.calls', unit: 'calls/launch', better: 'lower' }, questions),
      compared({ ...about, name: 'indexing.verified.exchanges', unit: 'exchanges/launch', better: 'lower' }, exchanges),
    ];
  });
}

/** Ponder ends where a reorganisation is deeper than 65 blocks; ours is measured there alone. */
const DEPTHS = { shared: 16, own: 64 } as const;
const REORGS = 10;
const DEEP_REORGS = 4;
const BRANCH_LAUNCHES = 4;

async function measureReorg(world: BenchWorld): Promise<readonly Measurement[]> {
  return withServers(world, async (servers) => {
    const { chain } = servers;
    let settled = await chain.launch(chain.prepare(BRANCH_LAUNCHES));
    await chain.mine(FINAL_AFTER_BLOCKS);
    const ours = await startOwnIndexer(servers, { name: 'reorg-ours', pollMs: POLL_MS, finalOnly: false });
    try {
      const peer = await startPonder(servers, { name: 'reorg-peer', pollMs: POLL_MS, finalOnly: false });
      const samples = noSamples();
      try {
        for (let round = 0; round < REORGS; round += 1) {
          world.say(`indexing.reorg: ${round + 1} of ${REORGS}`);
          const { rows, took } = await reorganise(servers, [ours, peer], DEPTHS.shared, settled);
          settled = rows;
          samples.ours.push(took[0]!);
          samples.peer.push(took[1]!);
        }
      } finally {
        await peer.stop();
      }
      const deep: number[] = [];
      for (let round = 0; round < DEEP_REORGS; round += 1) {
        world.say(`indexing.reorg.deep: ${round + 1} of ${DEEP_REORGS}`);
        const { rows, took } = await reorganise(servers, [ours], DEPTHS.own, settled);
        settled = rows;
        deep.push(...took);
      }
      const about = { unit: 'ms', better: 'lower', summary: 'median' } as const;
      return [
        compared({ ...about, name: 'indexing.reorg', peerName: PONDER }, samples),
        alone({ ...about, name: 'indexing.reorg.deep' }, deep),
      ];
    } finally {
      await ours.stop();
    }
  });
}

/**
 * Has sides follow a branch of some blocks with launches, replaces it by a longer one with others, and measures until each
 * side's rows are those of the chain again: none of the first branch, all of the second. Both see the change at once.
 * @param settled rows of the blocks below. @returns those of the chain now, and the milliseconds of each side.
 */
async function reorganise(
  { chain }: IndexServers,
  sides: readonly FollowingSide[],
  depth: number,
  settled: readonly LaunchedRow[],
): Promise<{ readonly rows: readonly LaunchedRow[]; readonly took: readonly number[] }> {
  const branch = async (launches: readonly PreparedLaunch[], blocks: number): Promise<readonly Hex[]> => {
    const between = Math.floor(blocks / launches.length) - 1;
    const sent = await chain.send(launches, between);
    await chain.mine(blocks - launches.length * (between + 1));
    return sent;
  };
  const [first, second] = [chain.prepare(BRANCH_LAUNCHES), chain.prepare(BRANCH_LAUNCHES)];
  const isRight = async (side: FollowingSide, wanted: readonly LaunchedRow[]): Promise<boolean> => {
    const rows = await side.rows.read();
    return rows !== null && canonicalRows(rows) === canonicalRows(wanted);
  };
  const before = await chain.snapshot();
  const replaced = [...settled, ...(await chain.rowsOf(first, await branch(first, depth)))];
  for (const side of sides) await until(`${side.rows.name} follows`, () => isRight(side, replaced));
  // Both poll: the moment of the change must not be that of a poll.
  await delay(POLL_MS * (1 + Math.random()));
  await Promise.all(sides.map(({ rpc }) => rpc.hold()));
  await chain.takeBack(before);
  const sent = await branch(second, depth + 1);
  const changedAt = performance.now();
  for (const { rpc } of sides) rpc.release();
  const wanted = [...settled, ...(await chain.rowsOf(second, sent))];
  const took = await Promise.all(
    sides.map(async (side) => {
      await until(`${side.rows.name} has the rows of the new branch`, () => isRight(side, wanted));
      return performance.now() - changedAt;
    }),
  );
  return { rows: wanted, took };
}

/** Indexing beside Ponder: chain, PostgreSQL and both sides are the bench's own, and gone afterwards. */
export const indexingBenches: readonly Bench[] = [
  { name: 'indexing.verified', needsStack: false, run: measureVerified },
  { name: 'indexing.backfill', needsStack: false, run: measureBackfill },
  { name: 'indexing.reorg', needsStack: false, run: measureReorg },
];
