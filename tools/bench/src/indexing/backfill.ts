import type { BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { compared } from '../measure/sampling.js';
import { FINAL_AFTER_BLOCKS } from './bench-chain.js';
import { noSamples, POLL_MS, PONDER, SIDES, until, withServers, type Start } from './beside-ponder.js';
import { BenchTrades } from './bench-trades.js';
import type { IndexServers } from './index-servers.js';
import { canonicalLaunch, requireEqualRows, type LaunchedRow } from './launched-rows.js';
import { canonicalTrade, type TradedRow } from './traded-rows.js';

const POOLS = 4;
const BLOCKS = 500;
const TRADES_OF_BLOCK = 10;
const ROUNDS = 3;

interface Wanted {
  readonly launches: readonly LaunchedRow[];
  readonly trades: readonly TradedRow[];
}

/** Trades a second, from a side's first question for logs until its tables have the last of them; and its questions. */
async function backfill(
  servers: IndexServers,
  start: Start,
  name: string,
  { launches, trades }: Wanted,
): Promise<{ readonly rate: number; readonly questions: number; readonly exchanges: number }> {
  const side = await start(servers, { name, pollMs: POLL_MS, finalOnly: true, withTrades: true });
  try {
    await until(`${side.rows.name} indexes trades`, async () => (await side.trades.count()) >= trades.length);
    const milliseconds = performance.now() - side.rpc.firstAskedForLogs()!;
    const questions = [...side.rpc.counts().values()].reduce((sum, count) => sum + count, 0);
    const exchanges = side.rpc.exchanges();
    requireEqualRows(side.rows.name, (await side.rows.read()) ?? [], launches, canonicalLaunch);
    requireEqualRows(`${side.rows.name}, trades`, await side.trades.read(), trades, canonicalTrade);
    return { rate: (trades.length * 1_000) / milliseconds, questions, exchanges };
  } finally {
    await side.stop();
  }
}

/** Both sides index the same launches and trades, from the chain's first block on, into unused tables. */
export async function measureBackfill(world: BenchWorld): Promise<readonly Measurement[]> {
  return withServers(world, async (servers) => {
    const { chain } = servers;
    world.say(`indexing.backfill: making ${POOLS} launches and ${BLOCKS * TRADES_OF_BLOCK} trades`);
    const launches = await chain.launch(chain.prepare(POOLS));
    const trades = await (await BenchTrades.open(chain, launches)).make(BLOCKS, TRADES_OF_BLOCK);
    await chain.mine(FINAL_AFTER_BLOCKS);
    const [rates, questions, exchanges] = [noSamples(), noSamples(), noSamples()];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [side, start] of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
        world.say(`indexing.backfill: ${side}, ${round + 1} of ${ROUNDS}`);
        const measured = await backfill(servers, start, `backfill-${side}-${round}`, { launches, trades });
        rates[side].push(measured.rate);
        questions[side].push(measured.questions);
        exchanges[side].push(measured.exchanges);
      }
    const about = { peerName: PONDER, summary: 'median' } as const;
    return [
      compared({ ...about, name: 'indexing.backfill', unit: 'swaps/s', better: 'higher' }, rates),
      compared({ ...about, name: 'indexing.backfill.calls', unit: 'calls', better: 'lower' }, questions),
      compared({ ...about, name: 'indexing.backfill.exchanges', unit: 'exchanges', better: 'lower' }, exchanges),
    ];
  });
}
