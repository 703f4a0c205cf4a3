import { ChainError, isChainError, type ChainErrorCode } from '../chain.error.js';

/** Endpoints bound the blocks and the logs of one query, each in its own words or by giving up. */
export const ASKED_FOR_TOO_MUCH: readonly ChainErrorCode[] = [
  'RPC_REFUSED',
  'RPC_ANSWER_TOO_LARGE',
  'RPC_ANSWER_INVALID',
  'RPC_TIMEOUT',
];
export const isTooMuch = (code: string): boolean => ASKED_FOR_TOO_MUCH.some((one) => one === code);

/** Payload too large, and too many requests: a gateway before the node counts bytes, and each question of a batch. */
const LESS_AT_ONCE: ReadonlySet<number | null> = new Set([413, 429]);

/** Whether fewer questions at once may have answers. */
export const asksTooManyAtOnce = (error: unknown): boolean =>
  isChainError(error, 'RPC_UNREACHABLE') && LESS_AT_ONCE.has(error.data.httpStatus);

/** Whether a smaller range may have an answer. */
export const asksTooMuch = (error: unknown): boolean =>
  error instanceof ChainError && (isTooMuch(error.code) || asksTooManyAtOnce(error));

/** Blocks of a query that every endpoint takes: the smallest offers allow ten. */
export const SMALLEST_RANGE = 8n;

/** The range to try after one that was refused. */
export const narrower = (range: bigint, smallest: bigint = SMALLEST_RANGE): bigint =>
  range / 4n > smallest ? range / 4n : smallest;

/** The range to try after one that was answered. */
export const wider = (range: bigint, largest: bigint): bigint => (range * 2n < largest ? range * 2n : largest);
