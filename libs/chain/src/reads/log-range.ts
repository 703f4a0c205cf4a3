import type { ChainErrorCode } from '../chain.error.js';

/** Endpoints bound the blocks and the logs of one query, each in its own words or by giving up. */
export const ASKED_FOR_TOO_MUCH: readonly ChainErrorCode[] = [
  'RPC_REFUSED',
  'RPC_ANSWER_TOO_LARGE',
  'RPC_ANSWER_INVALID',
  'RPC_TIMEOUT',
];
export const isTooMuch = (code: string): boolean => ASKED_FOR_TOO_MUCH.some((one) => one === code);

/** Blocks of a query that every endpoint takes: the smallest offers allow ten. */
export const SMALLEST_RANGE = 8n;

/** The range to try after one that was refused. */
export const narrower = (range: bigint, smallest: bigint = SMALLEST_RANGE): bigint =>
  range / 4n > smallest ? range / 4n : smallest;

/** The range to try after one that was answered. */
export const wider = (range: bigint, largest: bigint): bigint => (range * 2n < largest ? range * 2n : largest);
