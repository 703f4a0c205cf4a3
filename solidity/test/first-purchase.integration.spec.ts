/**
 * The first purchase from a position as `libs/evm` computes it against Uniswap's own pool, executed by a real EVM: the
 * walk over the tick bitmap with each of its roundings. 500 random vectors; `AMM_VECTORS` scales them, `TEST_SEED=…` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  buyFromPosition,
  inventoryPosition,
  MAX_INT128,
  MAX_TICK,
  MIN_TICK,
  type UntouchedPosition,
} from '@launch/evm';
import { decodeFunctionResult } from 'viem';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import { Chain } from './support/chain.js';
import { vectorRandom } from './support/vector-random.js';
import { encodeCall, startTimeout } from './support/world.js';

const vectorCount = Math.ceil(Number(process.env['AMM_VECTORS'] ?? 10_000) / 20);
const seed = BigInt(process.env['TEST_SEED'] ?? Date.now());
/** A pool of its own each, so that a call stays short of a second. */
const batchSize = 50;
jest.setTimeout(vectorCount > 500 ? 1_800_000 : startTimeout);

let chain: Chain;
let oracle: Address;
beforeAll(async () => {
  chain = await Chain.start();
  const [owner] = await chain.rpc<Address[]>('eth_accounts');
  oracle = await chain.deploy(owner!, artifact('PurchaseOracle'));
}, startTimeout);
afterAll(() => chain?.close());

interface Vector extends UntouchedPosition {
  readonly offeredWei: bigint;
}

async function onTheEvm(batch: readonly Vector[]): Promise<readonly bigint[]> {
  const call = { to: oracle, data: encodeCall('PurchaseOracle', 'buy', [batch]), gas: '0x2540be4000' };
  const data = await chain.rpc<`0x${string}`>('eth_call', call, 'latest');
  return decodeFunctionResult({ abi: artifact('PurchaseOracle').abi, functionName: 'buy', data }) as readonly bigint[];
}

const inTypeScript = ({ offeredWei, ...position }: Vector): bigint[] => {
  const { spentWei, tokensOut, sqrtPriceX96 } = buyFromPosition(position, offeredWei);
  return [spentWei, tokensOut, sqrtPriceX96];
};

/** Any spacing, range and liquidity a pool admits; purchases of dust, of anything, and around the whole position. */
function vector(random: ReturnType<typeof vectorRandom>): Vector {
  const tickSpacing = [1, 10, 60, 200, 32_767, 1 + random.below(32_767)][random.below(6)]!;
  const first = Math.ceil(MIN_TICK / tickSpacing);
  const last = Math.floor((MAX_TICK - 1) / tickSpacing);
  // A walk over every word of the widest range would take the EVM minutes: at most some thirty of them.
  const width = 1 + random.below(Math.min(last - first, 8_000));
  const lower = first + random.below(last - first - width + 1);
  const range = { tickLower: lower * tickSpacing, tickUpper: (lower + width) * tickSpacing, tickSpacing };
  const placed = inventoryPosition(random.magnitude() || 1n, range);
  // An inventory too small or too large for this range is no position: another draw.
  if (!placed.ok) return vector(random);
  const position = { ...range, liquidity: placed.position.liquidity };
  const capacity = buyFromPosition(position, MAX_INT128).spentWei;
  const around = capacity + BigInt(random.below(5)) - 2n;
  const within = capacity === 0n ? 1n : 1n + (random.magnitude() % capacity);
  const offered = [random.magnitude(), around, within, within][random.below(4)]!;
  return { ...position, offeredWei: offered < 1n ? 1n : offered > MAX_INT128 ? MAX_INT128 : offered };
}

describe('the first purchase from a position', () => {
  it(`equals that of Uniswap's own pool on ${vectorCount} random vectors (TEST_SEED=${seed})`, async () => {
    const random = vectorRandom(seed);
    let [part, whole] = [0, 0];
    for (let done = 0; done < vectorCount; done += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, vectorCount - done) }, () => vector(random));
      const expected = await onTheEvm(batch);
      const actual = batch.flatMap(inTypeScript);
      const wrong = actual.findIndex((value, index) => value !== expected[index]);
      expect(
        wrong < 0 ? null : { ...batch[Math.floor(wrong / 3)], actual: actual[wrong], expected: expected[wrong] },
      ).toBeNull();
      batch.forEach(({ offeredWei }, index) => (actual[index * 3]! < offeredWei ? (part += 1) : (whole += 1)));
    }
    // Both ends of the walk were there: purchases that were filled, and positions that were sold out.
    expect([part > vectorCount / 20, whole > vectorCount / 20]).toEqual([true, true]);
  });

  it("equals it across the borders of the bitmap's words, and at the lowest price at which the router buys", async () => {
    const liquidity = 10n ** 20n;
    const ranges = [
      [-512, 512],
      [-256, 255],
      [-257, 256],
      [0, 1],
      [-1, 0],
      [MIN_TICK, MIN_TICK + 300],
      [MIN_TICK, MIN_TICK + 1],
    ] as const;
    const batch = ranges.flatMap(([tickLower, tickUpper]) => {
      const position = { tickLower, tickUpper, tickSpacing: 1, liquidity };
      const { spentWei } = buyFromPosition(position, MAX_INT128);
      return [1n, spentWei / 3n, spentWei - 1n, spentWei, spentWei + 1n].map((offeredWei) => ({
        ...position,
        offeredWei,
      }));
    });
    expect(batch.flatMap(inTypeScript)).toEqual(await onTheEvm(batch));
  });
});
