import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MODULE_INDEXER_PATH, moduleIndexerSchema } from '@launch/contracts/index';
import { addressOf, type Hex } from '@launch/contracts/primitives';
import { awaitIndexed, NativeLaunches, publishedRecord, type MadeLaunch, type NativeLauncher } from '@launch/start';
import { createPublicClient, http } from 'viem';
import { PATIENCE_MS } from '../fixtures/launcher.fixture.js';
import { PlanDesk, stepOf } from '../fixtures/plan-desk.fixture.js';
import { launchThroughSources } from '../stacks/launch-through-sources.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { ChainNoise } from './chain-noise.fixture.js';
import { FeedWatch } from './feed-watch.fixture.js';
import { RequestCounts } from './request-counts.fixture.js';

/**
 * Strangers fill both chains with logs that belong to no source, and with coins without a market. Every source, the
 * plan transport and the feeds must continue as without them.
 */
const IS_WHOLE = process.env['CHAIN_NOISE'] === 'whole';
/** The transactions of the first minute, the logs of each, and the coins of strangers. */
const SCALE = IS_WHOLE ? { transactions: 400, logs: 1_000, coins: 500 } : { transactions: 20, logs: 1_000, coins: 10 };
/** The logs of single transactions on both chains. The last transactions have logs without topics. */
const LARGE = [1_100, 10_000];
const LARGEST = 60_000;
const BESIDE = 1_100;
/** The calls of all services to both providers of a chain, for each block. An idle machine makes a third of them. */
const MAX_CALLS_PER_BLOCK = 150;
const TEST_MS = (IS_WHOLE ? 6 : 2) * PATIENCE_MS;

let stack: E2eStack;
let l2: ChainNoise;
let l1: ChainNoise;
let feeds: FeedWatch;
let counts: RequestCounts;
const made: MadeLaunch[] = [];

beforeAll(async () => {
  stack = await startE2eStack({ without: [], launchBeforeEnd: true });
  [l2, l1] = [await ChainNoise.open(stack, '4663'), await ChainNoise.open(stack, '1')];
  made.push(...(await launchThroughSources(stack.stack)));
  await awaitIndexed({ stack: stack.stack, timeoutMs: PATIENCE_MS }, made);
  feeds = new FeedWatch(stack.gateway);
  counts = await RequestCounts.begin(stack);
}, TEST_MS);
afterAll(() => stack?.stop());

/** The launcher of engines, whose coins need no mined address. */
async function engine(): Promise<NativeLauncher> {
  const response = await fetch(`${stack.gateway}${MODULE_INDEXER_PATH}`);
  const { deployments } = moduleIndexerSchema.parse(await response.json());
  const { address } = deployments.find(({ sourceVersion }) => sourceVersion === 'module-engine-v1')!;
  return { sourceVersion: 'module-engine-v1', address: addressOf(address)! };
}

const receiptOf = (hash: Hex) =>
  createPublicClient({ transport: http(stack.stack.rpc['4663'][0] as string) }).waitForTransactionReceipt({ hash });

describe('both chains full of logs that belong to no source', () => {
  it(
    'index a launch and finalize an atomic plan whose own transactions carry a thousand other logs',
    async () => {
      const half = SCALE.transactions / 2;
      const noise = (async () => {
        for (let sent = 0; sent < half; sent += 1) await Promise.all([l2.emit(SCALE.logs), l1.emit(SCALE.logs)]);
      })();
      const desk = await PlanDesk.open(stack);
      const { planId } = await desk.create('atomic');
      const offer = await desk.offered(planId, 'atomic-launch');
      if (offer.form !== 'atomic.v1') throw new Error(`the plan offers ${offer.form}`);
      const transactionHash = await desk.send({ ...offer, calls: [l2.call(BESIDE), ...offer.calls] });
      await receiptOf(transactionHash);

      const launcher = await engine();
      const launches = await NativeLaunches.open(stack.stack);
      const own = launches.plainCall(launcher, stack.controller as Hex);
      const batch = await desk.send({ ...offer, calls: [l2.call(BESIDE), { ...own, value: '0' }] });
      made.push(await NativeLaunches.madeBy(launcher, await receiptOf(batch), 'beside a thousand logs'));

      await noise;
      for (const logs of LARGE) await Promise.all([l2.emit(logs), l1.emit(logs)]);
      await Promise.all([l2.emitBare(LARGEST), l1.emitBare(LARGEST)]);

      const plan = await desk.until(planId, ({ status }) => status === 'finalized');
      expect(stepOf(plan, 'atomic-launch').transactions).toContainEqual({
        transactionHash,
        source: 'observed',
        status: 'included',
      });
      expect(await publishedRecord(stack.stack, planId)).toMatchObject({ onchain: { transactionHash } });
    },
    TEST_MS,
  );

  it(
    'index the coins of a stranger who launches without end, and one launch of every source after them',
    async () => {
      const launches = await NativeLaunches.open(stack.stack);
      made.push(...(await launches.makeMany(await engine(), SCALE.coins)));
      made.push(...(await launchThroughSources(stack.stack)));
      const sources = await awaitIndexed({ stack: stack.stack, timeoutMs: TEST_MS }, made);
      for (const { source, made: all, found, quarantined } of sources) {
        const refused = Object.values(quarantined).reduce((sum, count) => sum + count, 0);
        expect([source, found + refused]).toEqual([source, all]);
      }
    },
    TEST_MS,
  );

  it('keep every feed ready throughout, and ask each provider a bounded number of questions for each block', async () => {
    expect(await feeds.faults()).toEqual([]);
    const asked = await counts.sinceThen();
    if (IS_WHOLE) process.stderr.write(`${JSON.stringify(asked, null, 2)}\n`);
    expect(asked['4663'].perBlock).toBeLessThan(MAX_CALLS_PER_BLOCK);
    expect(asked['1'].perBlock).toBeLessThan(MAX_CALLS_PER_BLOCK);
  });
});
