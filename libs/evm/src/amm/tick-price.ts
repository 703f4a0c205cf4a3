import { EvmError } from '../evm.error.js';

/** The lowest tick of a Uniswap V4 pool. */
export const MIN_TICK = -887_272;
/** The highest tick of a Uniswap V4 pool. */
export const MAX_TICK = 887_272;
/** The price at `MIN_TICK`, Q64.96. */
export const MIN_SQRT_PRICE = 4_295_128_739n;
/** The price at `MAX_TICK`, Q64.96; a pool is never initialized at it. */
export const MAX_SQRT_PRICE = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n;

const MAX_UINT256 = 2n ** 256n - 1n;

/** 2^128 / sqrt(1.0001)^(2^i) rounded to the nearest integer, for each bit i of a tick. */
const RATIOS: readonly bigint[] = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
];

/**
 * Returns the square root price at a tick in Q64.96: exactly the integer that Uniswap V4 computes, rounded up.
 * @throws {EvmError} `TICK_OUT_OF_RANGE`.
 */
export function sqrtPriceAtTick(tick: number): bigint {
  requireTick(tick, 'tick');
  const magnitude = Math.abs(tick);
  let ratio = 1n << 128n;
  RATIOS.forEach((factor, bit) => {
    if ((magnitude & (1 << bit)) !== 0) ratio = bit === 0 ? factor : (ratio * factor) >> 128n;
  });
  if (tick > 0) ratio = MAX_UINT256 / ratio;
  return (ratio + 0xffffffffn) >> 32n;
}

/** Refuses a number that is not a tick of any pool. @throws {EvmError} `TICK_OUT_OF_RANGE` naming `field`. */
export function requireTick(tick: number, field: string): void {
  if (!Number.isInteger(tick) || tick < MIN_TICK || tick > MAX_TICK) throw new EvmError('TICK_OUT_OF_RANGE', field);
}
