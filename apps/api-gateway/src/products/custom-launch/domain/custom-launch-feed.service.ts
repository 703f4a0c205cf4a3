import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import { CUSTOM_LAUNCH_FEED_PATH, type CustomLaunchFinalizedList } from '@launch/contracts/custom-launch';
import { canonicalJsonText } from '@launch/contracts/json';
import { ApiError, CursorCodec, type CursorScope, type ListQuery } from '@launch/http';
import { launchIdFrom } from '../../../core/launches/path-ids.js';
import { BLOB_STORE } from '../../../platform/tokens.js';
import { feedItems } from '../../../core/feeds/feed-items.js';
import { FeedPages } from '../../../core/feeds/feed-pages.js';
import { FeedRepository, type FeedCounters } from '../../../core/feeds/feed.repository.js';
import { FramedPages, type Frame } from '../../../core/feeds/framed-pages.js';
import { SettledCounters } from '../../../core/feeds/settled-counters.js';
import { SharedRead } from '../../../core/feeds/shared-read.js';

const FEED = 'custom-launch.v4';
const SCOPE: CursorScope = { route: `GET ${CUSTOM_LAUNCH_FEED_PATH}`, reader: null };

/** The public feed of finalized custom launches and plans; it reads the gateway's own rows and blobs only. */
@Injectable()
export class CustomLaunchFeedService {
  private readonly pages = new FeedPages(() => this.records.head());
  private readonly counters = new SharedRead(() => this.records.customCounters());
  private readonly settled = new SettledCounters();
  private readonly framed = new FramedPages();

  constructor(
    private readonly records: FeedRepository,
    private readonly cursors: CursorCodec,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /**
   * Returns a page as canonical JSON, the oldest publication first; the same memory while nothing changes. The counters are
   * read after its items, so that they include all of them.
   */
  async list(query: ListQuery): Promise<Uint8Array> {
    const { pages, cursors } = this;
    const rows = (limit: number, after: string) => this.records.list(FEED, limit, after);
    const items = await feedItems({ pages, cursors, scope: SCOPE, rows }, query);
    return this.framed.bytesOf(items, aroundItems(this.settled.of(await this.counters.ask())));
  }

  /** Returns the public bundle of a launch in the feed, by its exact digest. @throws ApiError `NOT_FOUND` */
  async evidence(launchId: string, hex: string): Promise<{ readonly bytes: Uint8Array; readonly sha256: string }> {
    const sha256 = await this.records.evidenceOf(FEED, launchIdFrom(launchId));
    if (sha256 === null || sha256 !== `sha256:${hex}`) throw new ApiError('NOT_FOUND');
    return { bytes: await this.blobs.get(sha256), sha256 };
  }
}

/** Writes the members before and after the items in canonical order. An incomplete dataset is marked, so readers reject the page. */
function aroundItems({ source, published, quarantined, asOf }: FeedCounters): Frame {
  const counted = { sourceRowCount: source, publishedRowCount: published, quarantinedRowCount: quarantined };
  const dataset: CustomLaunchFinalizedList['dataset'] = { ...counted, asOf: asOf.toISOString() };
  const reasons: CustomLaunchFinalizedList['quality']['reasons'] = [];
  if (quarantined > 0) reasons.push('RECORDS_QUARANTINED');
  if (source !== published + quarantined) reasons.push('RECORDS_UNPUBLISHED');
  const quality: CustomLaunchFinalizedList['quality'] = {
    status: reasons.length === 0 ? 'ready' : 'not_ready',
    reasons,
  };
  const behind = `"publishedRowCount":${published},"quality":${canonicalJsonText(quality)},"quarantinedRowCount":${quarantined},"schemaVersion":"service.custom-launch-finalized-list.v4","sourceRowCount":${source}}`;
  return [`{"dataset":${canonicalJsonText(dataset)},`, `,${behind}`];
}
