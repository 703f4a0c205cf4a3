import { Inject, Injectable } from '@nestjs/common';
import { STALE_AFTER_SECONDS, type EthereumFeedReason, type EthereumFinalizedList } from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { EvidencedFamily, FeedFamily } from '../../../core/feeds/public-feed.js';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { EthereumFeedRepository, type EthereumRow, type FeedState } from '../data/ethereum-feed.repository.js';

const MILLISECONDS = 1_000;

/** The public feed of Custom launches on Ethereum; it reads the gateway's own rows and blobs only. */
@Injectable()
export class EthereumFeedService implements FeedFamily, EvidencedFamily {
  readonly maxAgeMs = 0;
  readonly hasFinalPages = false;

  constructor(
    @Inject(EthereumFeedRepository) private readonly records: Pick<
      EthereumFeedRepository,
      'state' | 'list' | 'hasEvidence'
    >,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Every page states the counts, the time of the last reading and whether the feed is ready, and nothing else changes. */
  async version(): Promise<string> {
    return canonicalJsonText(await this.frame());
  }

  rows(limit: number, after: string): Promise<readonly EthereumRow[]> {
    return this.records.list(limit, after);
  }

  /** An incomplete dataset is marked, so that readers reject the page. */
  async frame(): Promise<Omit<EthereumFinalizedList, 'items' | 'nextCursor'>> {
    const state = await this.records.state();
    const { source, published, quarantined, readAt } = state;
    const counted = { sourceRowCount: source, publishedRowCount: published, quarantinedRowCount: quarantined };
    const reasons = reasonsOf(state, this.clock.now());
    return {
      schemaVersion: 'service.custom-launch-finalized-list.v3',
      ...counted,
      dataset: { ...counted, asOf: readAt?.toISOString() ?? null },
      quality: { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons },
    };
  }

  /** Returns whether every page is `ready` now. */
  async isReady(): Promise<boolean> {
    return reasonsOf(await this.records.state(), this.clock.now()).length === 0;
  }

  hasEvidence(routerLaunchId: string, sha256: Sha256Digest): Promise<boolean> {
    return this.records.hasEvidence(routerLaunchId, sha256);
  }
}

/** Returns why the dataset is unreliable now. */
function reasonsOf({ source, published, quarantined, indexStatus, readAt }: FeedState, nowMs: number) {
  const reasons: EthereumFeedReason[] = [];
  if (readAt === null) return ['INDEX_UNREAD'] satisfies EthereumFeedReason[];
  if (indexStatus === 'stale' || nowMs - readAt.getTime() > STALE_AFTER_SECONDS * MILLISECONDS)
    reasons.push('INDEX_STALE');
  if (indexStatus === 'indeterminate') reasons.push('INDEX_INDETERMINATE');
  if (source < published + quarantined) reasons.push('INDEX_BEHIND');
  if (quarantined > 0) reasons.push('RECORDS_QUARANTINED');
  if (source > published + quarantined) reasons.push('RECORDS_UNPUBLISHED');
  return reasons;
}
