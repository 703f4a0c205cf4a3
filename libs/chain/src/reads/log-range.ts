import { ChainError, isChainError, type ChainErrorCode } from '../chain.error.js';

/**
 * Error codes of a query that was too large. Endpoints limit blocks and logs per query, with an error of their own or
 * by timing out.
 */
export const ASKED_FOR_TOO_MUCH: readonly ChainErrorCode[] = [
  'RPC_REFUSED',
  'RPC_ANSWER_TOO_LARGE',
  'RPC_ANSWER_INVALID',
  'RPC_TIMEOUT',
];
export const isTooMuch = (code: string): boolean => ASKED_FOR_TOO_MUCH.some((one) => one === code);

/**
 * Payload too large, and too many requests: a proxy before the node limits bytes, and counts each request of a batch.
 */
const LESS_AT_ONCE: ReadonlySet<number | null> = new Set([413, 429]);

/** Checks whether a smaller batch may succeed. */
export const asksTooManyAtOnce = (error: unknown): boolean =>
  isChainError(error, 'RPC_UNREACHABLE') && LESS_AT_ONCE.has(error.data.httpStatus);

/** Checks whether a smaller range may succeed. */
export const asksTooMuch = (error: unknown): boolean =>
  error instanceof ChainError && (isTooMuch(error.code) || asksTooManyAtOnce(error));

/** A number of blocks that every endpoint accepts; the smallest plans allow ten. */
export const SMALLEST_RANGE = 8n;

/** Returns the range to try after a refused one. */
export const narrower = (range: bigint, smallest: bigint = SMALLEST_RANGE): bigint =>
  range / 4n > smallest ? range / 4n : smallest;

/** Returns the range to try after a successful one. */
export const wider = (range: bigint, largest: bigint): bigint => (range * 2n < largest ? range * 2n : largest);
