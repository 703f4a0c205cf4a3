import { LIMITS } from '@launch/contracts/primitives';
import { ExchangeError, withRetries, type ExchangeErrorCode, type Patience } from '@launch/client-core/transport';
import type { AnswerKeys } from './answer-signature.js';
import { FeedError, type FeedErrorCode } from './feed.error.js';
import { ServiceRead } from './service-read.js';

const DEADLINE_MS = 60_000;

export interface ReadFeed {
  /** HTTPS, or HTTP on this machine. */
  readonly origin: string;
  /** Records a page, 1 to 25. */
  readonly pageSize?: number;
  /** Milliseconds for one whole traversal. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** If present, one of these keys must have signed every page, so pages may come from a mirror. */
  readonly keys?: AnswerKeys;
  /** If present, the whole traversal is repeated after a refusal that the service calls retryable. */
  readonly patience?: Patience | null;
}

/** The reason why there is no feed. Records read before a failure are dropped, so there is never part of a feed. */
export interface FeedUnavailable {
  readonly availability: 'UNAVAILABLE';
  readonly reason: FeedErrorCode | ExchangeErrorCode;
  readonly message: string;
  /** Whether the same read may succeed later. */
  readonly retryable: boolean;
}

/**
 * Traverses a feed. Returns the whole feed, or the reason why it is unavailable.
 * @throws {ExchangeError} `ORIGIN_UNUSABLE` or `INPUT_UNUSABLE`, before anything is sent.
 * @throws the signal's reason if it aborted the read.
 */
export async function readWholeFeed<T>(
  input: ReadFeed,
  traverse: (service: ServiceRead, pageSize: number) => Promise<T>,
): Promise<({ readonly availability: 'AVAILABLE' } & T) | FeedUnavailable> {
  const { origin, pageSize = LIMITS.listMax, deadlineMs = DEADLINE_MS, signal, keys, patience = null } = input;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > LIMITS.listMax)
    throw new ExchangeError('INPUT_UNUSABLE', `a page has 1 to ${LIMITS.listMax} records`);
  const open = (): ServiceRead => new ServiceRead(origin, deadlineMs, signal, keys);
  // An unusable origin is a fault of the caller, and no state of the feed.
  open();
  try {
    const feed = await withRetries(() => traverse(open(), pageSize), patience);
    return { availability: 'AVAILABLE', ...feed };
  } catch (error) {
    if (!(error instanceof FeedError || error instanceof ExchangeError)) throw error;
    const { code, message, retryable } = error;
    return { availability: 'UNAVAILABLE', reason: code, message, retryable };
  }
}
