/** Numbers of every magnitude for the comparison of the arithmetic with Uniswap's. */
import { MAX_INT128 } from '@launch/evm';

/** SplitMix64: the seed alone reproduces a run. */
export function vectorRandom(start: bigint) {
  const mask = 2n ** 64n - 1n;
  let state = start & mask;
  const next = (): bigint => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
  const below = (bound: number): number => Number(next() % BigInt(bound));
  /** Every magnitude is equally likely, from 1 bit to 127. */
  const magnitude = (): bigint => (((next() << 64n) | next()) & MAX_INT128) >> BigInt(below(127));
  return { below, magnitude };
}
