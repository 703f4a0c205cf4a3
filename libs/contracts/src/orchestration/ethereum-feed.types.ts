/** The workflow that makes the gateway read the index periodically. */
export const ETHEREUM_FEED_WORKFLOW_ID = 'feeds/ethereum';
/** Milliseconds between two readings. */
export const ETHEREUM_FEED_EVERY_MS = 15_000;

/** The outcome of one reading of the index. */
export interface EthereumFeedReading {
  readonly published: number;
  readonly held: number;
  /** Whether the index has more rows than one reading covers. */
  readonly more: boolean;
}

/** The gateway's part of the feed of Ethereum. */
export interface EthereumFeedActivities {
  /** Publishes the rows since the last reading; null if this deployment reads no index. */
  publishEthereumLaunches(): Promise<EthereumFeedReading | null>;
}
