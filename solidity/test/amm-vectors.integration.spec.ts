/**
 * The square root prices and liquidity amounts of `libs/evm` against Uniswap's own TickMath and SqrtPriceMath,
 * executed by a real EVM. 10^4 random vectors; `AMM_VECTORS=1000000` runs the nightly million, `TEST_SEED=…` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  currency0ForLiquidity,
  currency1ForLiquidity,
  MAX_INT128,
  MAX_TICK,
  MIN_TICK,
  sqrtPriceAtTick,
  tokenOnlyLiquidity,
} from '@launch/evm';
import { decodeFunctionResult } from 'viem';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import { Chain } from './support/chain.js';
import { vectorRandom } from './support/vector-random.js';
import { encodeCall, startTimeout } from './support/world.js';

const vectorCount = Number(process.env['AMM_VECTORS'] ?? 10_000);
const seed = BigInt(process.env['TEST_SEED'] ?? Date.now());
/** Vectors of one eth_call: about 15 million gas. */
const batchSize = 1_000;
const millionTimeout = 1_800_000;
jest.setTimeout(vectorCount > 10_000 ? millionTimeout : startTimeout);

let chain: Chain;
let oracle: Address;
beforeAll(async () => {
  chain = await Chain.start();
  const [owner] = await chain.rpc<Address[]>('eth_accounts');
  oracle = await chain.deploy(owner!, artifact('AmmOracle'));
}, startTimeout);
afterAll(() => chain?.close());

interface Vector {
  tickLower: number;
  tickUpper: number;
  inventory: bigint;
  liquidity: bigint;
}

const tickCount = MAX_TICK - MIN_TICK + 1;

function vectors(random: ReturnType<typeof vectorRandom>, count: number): Vector[] {
  return Array.from({ length: count }, () => {
    const one = MIN_TICK + random.below(tickCount);
    // Half of the ranges are narrow: there the prices are close and the liquidity large.
    const other =
      random.below(2) === 0 ? MIN_TICK + random.below(tickCount) : Math.min(MAX_TICK, one + 1 + random.below(2_000));
    const [tickLower, tickUpper] =
      one < other ? [one, other] : one > other ? [other, one] : one === MAX_TICK ? [one - 1, one] : [one, one + 1];
    const inventory = random.magnitude() || 1n;
    const formula = tokenOnlyLiquidity(inventory, tickLower, tickUpper);
    return { tickLower, tickUpper, inventory, liquidity: formula > MAX_INT128 ? random.magnitude() : formula };
  });
}

const word = ({ tickLower, tickUpper, liquidity }: Vector): bigint =>
  (BigInt.asUintN(24, BigInt(tickLower)) << 232n) |
  (BigInt.asUintN(24, BigInt(tickUpper)) << 208n) |
  (liquidity << 80n);

async function onTheEvm(batch: Vector[]): Promise<readonly bigint[]> {
  // A call's own gas: this much arithmetic does not fit a block, and nothing is mined.
  const call = { to: oracle, data: encodeCall('AmmOracle', 'evaluate', [batch.map(word)]), gas: '0x2540be400' };
  const data = await chain.rpc<`0x${string}`>('eth_call', call, 'latest');
  return decodeFunctionResult({ abi: artifact('AmmOracle').abi, functionName: 'evaluate', data }) as readonly bigint[];
}

const inTypeScript = ({ tickLower, tickUpper, liquidity }: Vector): bigint[] => {
  const [lower, upper] = [sqrtPriceAtTick(tickLower), sqrtPriceAtTick(tickUpper)];
  return [
    lower,
    upper,
    currency1ForLiquidity(liquidity, tickLower, tickUpper),
    (liquidity * (upper - lower)) >> 96n,
    currency0ForLiquidity(liquidity, tickLower, tickUpper),
  ];
};

describe('The price and liquidity arithmetic', () => {
  it(`equals Uniswap's own on ${vectorCount} random vectors (TEST_SEED=${seed})`, async () => {
    const random = vectorRandom(seed);
    for (let done = 0; done < vectorCount; done += batchSize) {
      const batch = vectors(random, Math.min(batchSize, vectorCount - done));
      const expected = await onTheEvm(batch);
      const actual = batch.flatMap(inTypeScript);
      // One comparison a batch; the first vector that differs is shown whole.
      const wrong = actual.findIndex((value, index) => value !== expected[index]);
      const at = batch[Math.floor(wrong / 5)];
      expect(wrong < 0 ? null : { ...at, actual: actual[wrong], expected: expected[wrong] }).toBeNull();
      for (const { inventory, liquidity, tickLower, tickUpper } of batch) {
        if (tokenOnlyLiquidity(inventory, tickLower, tickUpper) !== liquidity) continue;
        if (currency1ForLiquidity(liquidity, tickLower, tickUpper) > inventory)
          throw new Error(`settles more than ${inventory} over ${tickLower} to ${tickUpper}`);
      }
    }
  });

  it("equals Uniswap's own at every tick next to a bound or a power of two", async () => {
    const edges = [MIN_TICK, MIN_TICK + 1, MAX_TICK - 1, MAX_TICK];
    for (let bit = 0; bit < 20; bit += 1)
      edges.push(2 ** bit - 1, 2 ** bit, 2 ** bit + 1, 1 - 2 ** bit, -(2 ** bit), -1 - 2 ** bit);
    const ticks = [...new Set(edges.filter((tick) => tick >= MIN_TICK && tick < MAX_TICK))];
    const batch = ticks.flatMap((tick) =>
      [0n, 1n, MAX_INT128].map((liquidity) => ({ tickLower: tick, tickUpper: tick + 1, inventory: 1n, liquidity })),
    );
    expect(batch.flatMap(inTypeScript)).toEqual(await onTheEvm(batch));
  });
});
