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
export const narrower = (range: bigint): bigint => (range / 4n > SMALLEST_RANGE ? range / 4n : SMALLEST_RANGE);
