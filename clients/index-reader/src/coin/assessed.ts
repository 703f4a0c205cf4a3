import { assessCoin, type CoinAssessment, type LaunchRecord, type WriteFacts } from '@launch/contracts/index';
import type { StampReading } from '../chain/read-stamps.js';
import type { FinalityVerdict } from '../chain/verify-finality.js';
import type { EthereumFeedReading } from '../feed/read-ethereum-feed.js';
import type { FeedReading } from '../feed/read-finalized-feed.js';
import type { CoinVerification } from './verify-record.js';

export interface Assessed {
  readonly record: LaunchRecord | null;
  readonly verification: CoinVerification;
  readonly finality: FinalityVerdict;
  readonly stamps: StampReading;
  readonly feed: FeedReading | EthereumFeedReading;
  readonly writes: WriteFacts;
}

/** Assesses each axis from its own reading. A launch that does not hold has neither finality nor exact source. */
export function assessed({ record, verification, finality, stamps, feed, writes }: Assessed): CoinAssessment {
  const isVerified = verification.kind === 'verified';
  return assessCoin({
    stamped: stamps.stamped,
    feedReady: feed.availability === 'AVAILABLE',
    finalized: isVerified && finality.kind === 'final' ? true : null,
    exactSource: isVerified && record !== null && feed.availability === 'AVAILABLE' && isExact(record, feed.records),
    writes,
  });
}

type Records = Extract<FeedReading | EthereumFeedReading, { availability: 'AVAILABLE' }>['records'];

/** Returns whether a feed has exactly this launch, with every component an exact match of its source. */
const isExact = (record: LaunchRecord, records: Records): boolean =>
  records.some(
    ({ market, onchain, sourceVerification: { status, components } }) =>
      market.token === record.tokenAddress.toLowerCase() &&
      market.poolId === record.poolId &&
      onchain.router === record.routerAddress?.toLowerCase() &&
      onchain.routerLaunchId === record.launchId &&
      onchain.transactionHash === record.transactionHash &&
      status === 'exact_match' &&
      components.every((component) => component.status === 'exact_match'),
  );
