import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chainExploreSchema,
  chainPresentationSchema,
  EXPLORE_PATH,
  PRESENTATION_PATH,
  type IndexSource,
} from '@launch/contracts/index';
import { checksummed } from '@launch/contracts/primitives';
import type { z } from 'zod';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call } from '../../../fixtures/http.client.js';
import {
  account,
  publishedIndex,
  sourceDocument,
  type PublishedIndex,
} from '../../../fixtures/published-index.fixture.js';

let index: PublishedIndex;
let gateway: Harness;
beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await call(gateway.url + path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return schema.parse(answer.json);
}

describe('the trading of a coin', () => {
  const [TRADED, ENDED] = ['custom-router-v1', 'custom-multi-role-v2'].map((sourceVersion, seed) =>
    sourceDocument({ sourceVersion, address: account(0x7700 + seed), startBlock: '50469365' }),
  ) as [IndexSource, IndexSource];
  const marketOf = async (token: string) =>
    (await read(`${PRESENTATION_PATH}?token=${token}`, chainPresentationSchema)).market;

  it('has its last trade with the caller, an exact price, and the volume of a day', async () => {
    await index.source(TRADED, { checkpoint: '50470000' });
    const [coin, quiet] = [
      await index.launch(TRADED, 0x7001, { decimals: 18 }),
      await index.launch(TRADED, 0x7002, { decimals: null }),
    ];
    expect(await marketOf(coin.tokenAddress)).toMatchObject({
      priceNative: null,
      volume24hNative: '0',
      swaps24h: 0,
      lastSwap: null,
    });
    await index.swap(coin, { block: 50_469_900, logIndex: 9, hoursAgo: 30, caller: account(0xca11) });
    await index.swap(coin, {
      block: 50_470_001,
      logIndex: 3,
      hoursAgo: 2,
      caller: account(0xca12),
      gross: '1040000000000000000',
    });
    await index.swap(coin, { block: 50_470_001, logIndex: 12, hoursAgo: 2, caller: account(0xca13) });
    await index.swap(quiet, { block: 50_469_901, logIndex: 1, hoursAgo: 30, caller: account(0xca14) });
    const market = await marketOf(coin.tokenAddress);
    expect(market).toMatchObject({
      priceNative: '1',
      // Includes the fees that the hook reports.
      volume24hNative: '2.04',
      swaps24h: 2,
      lastSwap: { router: checksummed(account(0xca13)), logIndex: 12, isFinal: false, tick: -12, liquidity: '7' },
    });
    expect(JSON.stringify(market)).not.toMatch(/trader|sender|from/i);
    expect(await marketOf(quiet.tokenAddress)).toMatchObject({
      priceNative: null,
      volume24hNative: '0',
      lastSwap: { isFinal: true, router: checksummed(account(0xca14)) },
    });
    const { items } = await read(`${EXPLORE_PATH}?mode=custom&q=${coin.tokenAddress}`, chainExploreSchema);
    expect(items.map((item) => item.market?.volume24hNative)).toEqual(['2.04']);
  });

  it('is marked incomplete while trades of the last day could not be read', async () => {
    const coin = await index.launch(TRADED, 0x7004);
    const isComplete = async () => (await marketOf(coin.tokenAddress))?.isComplete;
    expect(await isComplete()).toBe(true);
    const release = await index.hold(TRADED, { block: '50469910', subject: 'trades', cause: 'index' });
    expect(await isComplete()).toBe(false);
    await index.write(`UPDATE holds SET block_time = now() - interval '25 hours'`);
    await index.source(TRADED, { checkpoint: '50470000' });
    expect(await isComplete()).toBe(true);
    await release();
  });

  it('is absent for a source that is no longer read', async () => {
    await index.source(ENDED, { status: 'retained', state: 'ended' });
    const coin = await index.launch(ENDED, 0x7003);
    await index.swap(coin, { block: 50_469_902, logIndex: 1, hoursAgo: 1, caller: account(0xca11) });
    expect(await marketOf(coin.tokenAddress)).toBeNull();
  });
});
