/** The transport of every client: one bounded exchange at a time, and strict reading of its answer. */
export { exchange, type Exchange, type Received } from './exchange.js';
export { ExchangeError, type ExchangeErrorCode } from './exchange.error.js';
export { readJson } from './read-json.js';
export { retryAfterOf } from './retry-after.js';
export { readOrigin } from './origin.js';
export { withRetries, type Patience, type Retryable } from './retry.js';
