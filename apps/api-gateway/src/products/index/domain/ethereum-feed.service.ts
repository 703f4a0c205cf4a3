import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import {
  ETHEREUM_FEED_PATH,
  STALE_AFTER_SECONDS,
  type EthereumFeedReason,
  type EthereumFinalizedList,
} from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { ApiError, CursorCodec, type CursorScope, type ListQuery } from '@launch/http';
import { feedItems } from '../../../core/feeds/feed-items.js';
import { FeedPages } from '../../../core/feeds/feed-pages.js';
import { FramedPages, type Frame } from '../../../core/feeds/framed-pages.js';
import { SharedRead } from '../../../core/feeds/shared-read.js';
import { BLOB_STORE, CLOCK, type Clock } from '../../../platform/tokens.js';
import { EthereumFeedRepository, type FeedState } from '../data/ethereum-feed.repository.js';

const SCOPE: CursorScope = { route: `GET ${ETHEREUM_FEED_PATH}`, reader: null };
const MILLISECONDS = 1_000;

/** The public feed of Custom launches on Ethereum; it reads the gateway's own rows and blobs only. */
@Injectable()
export class EthereumFeedService {
  private readonly pages = new FeedPages(() => this.rows.head());
  private readonly state = new SharedRead(() => this.rows.state());
  private readonly framed = new FramedPages();

  constructor(
    private readonly rows: EthereumFeedRepository,
    private readonly cursors: CursorCodec,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns a page as canonical JSON, the oldest publication first; the same memory while nothing changes. The counters are
   * read after its items, so that they include all of them.
   */
  async list(query: ListQuery): Promise<Uint8Array> {
    const { pages, cursors } = this;
    const rows = (limit: number, after: string) => this.rows.list(limit, after);
    const items = await feedItems({ pages, cursors, scope: SCOPE, rows }, query);
    return this.framed.bytesOf(items, aroundItems(await this.state.ask(), this.clock.now()));
  }

  /** Returns whether every page is `ready` now. */
  async isReady(): Promise<boolean> {
    return reasonsOf(await this.state.ask(), this.clock.now()).length === 0;
  }

  /** Returns the evidence of a launch in the feed, by its exact digest. @throws ApiError `NOT_FOUND` */
  async evidence(
    routerLaunchId: string,
    hex: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly sha256: string }> {
    const sha256: Sha256Digest = `sha256:${hex}`;
    if (!(await this.rows.hasEvidence(routerLaunchId, sha256))) throw new ApiError('NOT_FOUND');
    return { bytes: await this.blobs.get(sha256), sha256 };
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

/** Writes the members before and after the items in canonical order. An incomplete dataset is marked, so readers reject the page. */
function aroundItems(state: FeedState, nowMs: number): Frame {
  const { source, published, quarantined, readAt } = state;
  const counted = { sourceRowCount: source, publishedRowCount: published, quarantinedRowCount: quarantined };
  const dataset: EthereumFinalizedList['dataset'] = { ...counted, asOf: readAt?.toISOString() ?? null };
  const reasons = reasonsOf(state, nowMs);
  const quality: EthereumFinalizedList['quality'] = { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons };
  const behind = `"publishedRowCount":${published},"quality":${canonicalJsonText(quality)},"quarantinedRowCount":${quarantined},"schemaVersion":"service.custom-launch-finalized-list.v3","sourceRowCount":${source}}`;
  return [`{"dataset":${canonicalJsonText(dataset)},`, `,${behind}`];
}
