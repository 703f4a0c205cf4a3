import { Injectable } from '@nestjs/common';
import type { CustomLaunchFinalizedList } from '@launch/contracts/custom-launch';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { launchIdFrom } from '../../../core/launches/path-ids.js';
import { FeedRepository, type StoredRecord } from '../../../core/feeds/feed.repository.js';
import type { EvidencedFamily, FeedFamily } from '../../../core/feeds/public-feed.js';

const FEED = 'custom-launch.v4';

/** The public feed of finalized custom launches and plans; it reads the gateway's own rows and blobs only. */
@Injectable()
export class CustomLaunchFeedService implements FeedFamily, EvidencedFamily {
  /** A page states when its counters were read, so its bytes stay equal for as long as caches may keep them. */
  readonly maxAgeMs = 5_000;
  readonly hasFinalPages = false;

  constructor(private readonly records: FeedRepository) {}

  async version(): Promise<string> {
    const { source, published, quarantined } = await this.records.customLaunchCounters();
    return `${source}/${published}/${quarantined}`;
  }

  rows(limit: number, after: string): Promise<readonly StoredRecord[]> {
    return this.records.list(FEED, limit, after);
  }

  /** An incomplete dataset is marked, so that readers reject the page. */
  async frame(): Promise<Omit<CustomLaunchFinalizedList, 'items' | 'nextCursor'>> {
    const { source, published, quarantined, asOf } = await this.records.customLaunchCounters();
    const counted = { sourceRowCount: source, publishedRowCount: published, quarantinedRowCount: quarantined };
    const reasons: CustomLaunchFinalizedList['quality']['reasons'] = [];
    if (quarantined > 0) reasons.push('RECORDS_QUARANTINED');
    if (source !== published + quarantined) reasons.push('RECORDS_UNPUBLISHED');
    return {
      schemaVersion: 'service.custom-launch-finalized-list.v4',
      ...counted,
      dataset: { ...counted, asOf: asOf.toISOString() },
      quality: { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons },
    };
  }

  async hasEvidence(launchId: string, sha256: Sha256Digest): Promise<boolean> {
    return (await this.records.evidenceOf(FEED, launchIdFrom(launchId))) === sha256;
  }
}
