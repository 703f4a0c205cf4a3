import { readEthereumFeed } from '../feed/read-ethereum-feed.js';
import { readFinalizedFeed } from '../feed/read-finalized-feed.js';
import type { Outcome } from './outcome.js';
import { EXIT } from './command.error.js';
import { readChainId, readPageSize, type Options } from './settings.js';

/** The whole finalized feed of a chain, or the reason why it cannot be used. */
export async function runFeed(options: Options): Promise<Outcome> {
  const chainId = readChainId(options);
  const input = { origin: options['api-origin']!, ...readPageSize(options) };
  const feed = chainId === 1 ? await readEthereumFeed(input) : await readFinalizedFeed(input);
  const isWhole = feed.availability === 'AVAILABLE';
  return {
    exitCode: isWhole ? EXIT.done : EXIT.untold,
    result: { schemaVersion: 'service.index-reader.feed.v1', chainId, ...feed },
    lines: [
      isWhole ? `AVAILABLE: ${feed.records.length} records` : `UNAVAILABLE: ${feed.reason}, ${feed.message}`,
      ...(isWhole ? feed.records.map(({ market, finalizedAt }) => `${market.token} ${finalizedAt}`) : []),
    ],
  };
}
