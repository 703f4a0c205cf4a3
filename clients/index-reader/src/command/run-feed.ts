import { readAnswerKeys } from '../feed/answer-signature.js';
import { FeedError } from '../feed/feed.error.js';
import { readEthereumFeed } from '../feed/read-ethereum-feed.js';
import { readFinalizedFeed } from '../feed/read-finalized-feed.js';
import { readIdentities } from '../feed/read-identities.js';
import { readMultiRoleFeed } from '../feed/read-multi-role-feed.js';
import type { FeedUnavailable, ReadFeed } from '../feed/reading.js';
import { ServiceRead } from '../feed/service-read.js';
import { EXIT } from './command.error.js';
import type { FEEDS } from './commands.js';
import type { Outcome } from './outcome.js';
import { readPageSize, type Options, type World } from './settings.js';

const KEYS_DEADLINE_MS = 20_000;

type Reading = FeedUnavailable | { readonly availability: 'AVAILABLE' };
const READERS: Readonly<Record<(typeof FEEDS)[number], (input: ReadFeed) => Promise<Reading>>> = {
  v4: readFinalizedFeed,
  v3: readEthereumFeed,
  'multi-role': readMultiRoleFeed,
  identities: readIdentities,
};

/** False statements of the service, which a later read cannot make true. */
const OF_EVIDENCE: ReadonlySet<string> = new Set(['DIGEST_DIFFERS', 'SIGNATURE_INVALID', 'CONTRACT_BYTES_DIFFER']);

/** Reads a whole feed, or reports the reason why it cannot be used. */
export async function runFeed(options: Options, { patience }: World): Promise<Outcome> {
  const name = options['feed'] as (typeof FEEDS)[number];
  const read = READERS[name];
  const input = { origin: options['api-origin']!, ...readPageSize(options), patience };
  const feed = await readSigned(read, input, options['keys-origin']);
  const isComplete = feed.availability === 'AVAILABLE';
  return {
    exitCode: isComplete ? EXIT.done : OF_EVIDENCE.has(feed.reason) ? EXIT.refused : EXIT.undecided,
    result: { schemaVersion: 'service.index-reader.feed.v1', feed: name, ...feed },
    lines: [isComplete ? `${name}: AVAILABLE` : `${name}: UNAVAILABLE, ${feed.reason}, ${feed.message}`],
  };
}

async function readSigned(
  read: (input: ReadFeed) => Promise<Reading>,
  input: ReadFeed,
  keysOrigin: string | undefined,
): Promise<Reading> {
  if (keysOrigin === undefined) return read(input);
  try {
    return await read({ ...input, keys: await readAnswerKeys(new ServiceRead(keysOrigin, KEYS_DEADLINE_MS)) });
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    const { code, message, retryable } = error;
    return { availability: 'UNAVAILABLE', reason: code, message, retryable };
  }
}
