import {
  CUSTOM_LAUNCH_FEED_PATH,
  LIMITS,
  type CustomLaunchFinalized,
  type CustomLaunchFinalizedList,
  type Sha256Digest,
} from '@launch/contracts';
import { ExchangeError, type ExchangeErrorCode } from '@launch/client-core/transport';
import { readBoundContract, type BoundContract } from './bound-contract.js';
import { FeedError, type FeedErrorCode } from './feed.error.js';
import { ServiceRead } from './service-read.js';

const DEADLINE_MS = 60_000;

export type FinalizedRecord = CustomLaunchFinalized;

export interface ReadFinalizedFeed {
  /** HTTPS, or HTTP on this machine. */
  readonly origin: string;
  /** Records a page, 1 to 25. */
  readonly pageSize?: number;
  /** For the whole traversal, in milliseconds. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** The whole feed, or why there is none. There is no part of a feed: what was read before a failure is dropped. */
export type FeedReading =
  | {
      readonly availability: 'AVAILABLE';
      /** Of the machine contract that every page was held to. */
      readonly contractSha256: Sha256Digest;
      /** In the order of publication. */
      readonly records: readonly FinalizedRecord[];
    }
  | {
      readonly availability: 'UNAVAILABLE';
      readonly reason: FeedErrorCode | ExchangeErrorCode;
      readonly message: string;
      /** Whether the same read may succeed later. */
      readonly retryable: boolean;
    };

/**
 * Reads every page of the finalized V4 feed and believes it only as a whole: the machine contract's bytes are those that
 * readiness binds, each page passes that contract, is ready, and counts the same as the page before. Cursors are sent back
 * unchanged; one that comes twice leaves open what was missed.
 * @throws {ExchangeError} `ORIGIN_UNUSABLE` or `INPUT_UNUSABLE`, before anything is sent.
 * @throws the signal's reason where it ended the read.
 */
export async function readFinalizedFeed(input: ReadFinalizedFeed): Promise<FeedReading> {
  const { origin, pageSize = LIMITS.listMax, deadlineMs = DEADLINE_MS, signal } = input;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > LIMITS.listMax)
    throw new ExchangeError('INPUT_UNUSABLE', `a page has 1 to ${LIMITS.listMax} records`);
  const service = new ServiceRead(origin, deadlineMs, signal);
  try {
    const contract = await readBoundContract(service);
    const records = await readPages(service, contract, pageSize);
    return { availability: 'AVAILABLE', contractSha256: contract.sha256, records };
  } catch (error) {
    if (!(error instanceof FeedError || error instanceof ExchangeError)) throw error;
    const { code, message, retryable } = error;
    return { availability: 'UNAVAILABLE', reason: code, message, retryable };
  }
}

async function readPages(service: ServiceRead, contract: BoundContract, pageSize: number): Promise<FinalizedRecord[]> {
  const records: FinalizedRecord[] = [];
  const cursors = new Set<string>();
  let first: CustomLaunchFinalizedList | undefined;
  for (let cursor: string | null = null; ; ) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor === null ? {} : { cursor }) });
    const { json } = await service.get(`${CUSTOM_LAUNCH_FEED_PATH}?${query}`);
    const page = contract.page(json);
    checkPage(page, pageSize);
    first ??= page;
    if (page.sourceRowCount !== first.sourceRowCount)
      throw new FeedError('COUNTERS_MOVED', 'the feed moved while it was read');
    records.push(...page.items);
    if (records.length > page.publishedRowCount)
      throw new FeedError('PAGE_OVERLONG', 'pages have more records than are published');
    if (page.nextCursor === null) break;
    if (cursors.has(page.nextCursor)) throw new FeedError('CURSOR_REPEATED', 'a cursor came twice');
    cursors.add(page.nextCursor);
    cursor = page.nextCursor;
  }
  const ids = new Set(records.map(({ launchId }) => launchId));
  if (ids.size !== records.length || records.length !== first.publishedRowCount)
    throw new FeedError('RECORDS_MISCOUNTED', 'the pages together are not the records that are published');
  return records;
}

/** A page that is ready and agrees with itself. Source equals published from here on, so one counter stands for all. */
function checkPage({ quality, dataset, items, ...counted }: CustomLaunchFinalizedList, pageSize: number): void {
  const { sourceRowCount, publishedRowCount, quarantinedRowCount } = counted;
  if (
    dataset.sourceRowCount !== sourceRowCount ||
    dataset.publishedRowCount !== publishedRowCount ||
    dataset.quarantinedRowCount !== quarantinedRowCount
  )
    throw new FeedError('COUNTERS_MIXED', 'a page has two values of one counter');
  if (quarantinedRowCount !== 0) throw new FeedError('RECORDS_QUARANTINED', 'records of the feed are held back');
  if (publishedRowCount !== sourceRowCount)
    throw new FeedError('RECORDS_UNPUBLISHED', 'records of the source are not published');
  if (quality.status !== 'ready') throw new FeedError('FEED_NOT_READY', 'the feed says that it is not ready');
  if (items.length > publishedRowCount || items.length > pageSize)
    throw new FeedError('PAGE_OVERLONG', 'a page has more records than are published, or were asked for');
}
