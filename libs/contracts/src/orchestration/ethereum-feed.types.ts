/** The workflow that has the gateway read the index, again and again. */
export const ETHEREUM_FEED_WORKFLOW_ID = 'feeds/ethereum';
/** Milliseconds between two readings. */
export const ETHEREUM_FEED_EVERY_MS = 15_000;

/** What one reading of the index came to. */
export interface EthereumFeedReading {
  readonly published: number;
  readonly held: number;
  /** Whether the index has more than one reading takes. */
  readonly more: boolean;
}

/** The gateway's part of the feed of Ethereum. */
export interface EthereumFeedActivities {
  /** Publishes what the index has since the last reading; null where this deployment reads no index. */
  publishEthereumLaunches(): Promise<EthereumFeedReading | null>;
}
