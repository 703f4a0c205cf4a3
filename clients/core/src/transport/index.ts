/** How a client of ours talks to a service: one bounded exchange at a time, whose answer is read strictly. */
export { exchange, type Exchange, type Received } from './exchange.js';
export { ExchangeError, type ExchangeErrorCode } from './exchange.error.js';
export { readJson } from './read-json.js';
export { readOrigin } from './origin.js';
