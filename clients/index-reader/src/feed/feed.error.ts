import { codedErrors } from '@launch/contracts/errors';

const RETRYABLE = {
  READINESS_INVALID: true,
  CHAIN_WRONG: false,
  CONTRACT_UNBOUND: true,
  CONTRACT_ELSEWHERE: false,
  CONTRACT_BYTES_DIFFER: false,
  CONTRACT_WITHOUT_FEED: false,
  PAGE_INVALID: false,
  FEED_NOT_READY: true,
  RECORDS_QUARANTINED: true,
  RECORDS_UNPUBLISHED: true,
  COUNTERS_MIXED: false,
  COUNTERS_MOVED: true,
  PAGE_OVERLONG: false,
  CURSOR_REPEATED: true,
  RECORDS_MISCOUNTED: true,
  KEYS_INVALID: false,
  DIGEST_DIFFERS: false,
  SIGNATURE_INVALID: false,
} as const;

export type FeedErrorCode = keyof typeof RETRYABLE;

/** The reason why a feed is unusable although answers arrived. The message never contains a value of an answer. */
export class FeedError extends codedErrors('FeedError', RETRYABLE) {}
