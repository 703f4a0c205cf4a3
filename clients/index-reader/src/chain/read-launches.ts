import type { ObserverPair } from '@launch/chain';
import type { SourceVersion } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import { rulesOf, type ReadSource } from './published-sources.js';
import { ReaderError } from './reader.error.js';
import { wholeRange } from './whole-range.js';
import { verifyLaunch, type Unknown, type VerifiedEvent } from './verify-launch.js';

/** Most blocks of one window (docs/reference/index-reads.md#reader-bounds). */
export const MAX_WINDOW_BLOCKS = 5_000n;
/** Most entries of one page. */
export const MAX_PAGE_ENTRIES = 100;

export interface LaunchWindow {
  /** First and last block, inclusive. */
  readonly from: bigint;
  readonly to: bigint;
  /** 1 to 100. */
  readonly pageSize?: number;
  /** `nextCursor` of the previous page, with the same window. */
  readonly cursor?: string | null;
}

export type LaunchPage =
  | {
      readonly kind: 'page';
      /** In block and log order. An event that fails its checks is included as refused. */
      readonly entries: readonly VerifiedEvent[];
      /** Null after the last page of the window. */
      readonly nextCursor: string | null;
    }
  | Unknown;

/**
 * Reads the launches of a source in a window of blocks, each verified by both endpoints. A window or page out of bounds is an
 * error and is never reduced: the caller would miss coins.
 * @throws {ReaderError} `WINDOW_OUT_OF_BOUNDS`, `PAGE_OUT_OF_BOUNDS`, `CURSOR_INVALID`, `SOURCE_OF_ANOTHER_KIND`,
 * `SOURCE_UNSUPPORTED`
 */
type ReadWindow = (pair: ObserverPair, read: ReadSource, window: LaunchWindow) => Promise<LaunchPage>;

const readerOf =
  (versions: readonly SourceVersion[]): ReadWindow =>
  async (pair, read, window) => {
    if (!versions.some((version) => version === read.source.sourceVersion))
      throw new ReaderError('SOURCE_OF_ANOTHER_KIND', `${read.source.sourceVersion} is read by another function`);
    return readWindow(pair, read, window);
  };

const ROUTERS = ['custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1'] as const;
/** Whether a source is a router, whose stamp is a coin's provenance. */
export const isRouter = ({ source }: ReadSource): boolean =>
  ROUTERS.some((version) => version === source.sourceVersion);

export const readFoundationLaunchIndex = readerOf(['module-foundation-v1']);
export const readNativeLaunches = readerOf(['module-native-v1', 'module-native-v2', 'module-engine-v1']);
export const readRouterLaunches = readerOf(ROUTERS);

/** Reads launches of a source of any kind. */
export const readLaunches: ReadWindow = (pair, read, window) => readWindow(pair, read, window);

interface Place {
  readonly blockNumber: bigint;
  readonly logIndex: bigint;
}

async function readWindow(pair: ObserverPair, read: ReadSource, window: LaunchWindow): Promise<LaunchPage> {
  const { pageSize = MAX_PAGE_ENTRIES } = window;
  const { from, to, after } = boundsOf(read, window);
  const { anchorTopics } = rulesOf(read);
  if (to < from) return { kind: 'page', entries: [], nextCursor: null };
  const range = await wholeRange(pair, { addresses: [read.source.address], topics: anchorTopics }, from, to);
  if (range.kind === 'indeterminate') return range;
  const wanted = range.logs.filter((log) => after === null || isAfter(log, after));
  const page = wanted.slice(0, pageSize);
  const judged = new Map<Hex, readonly VerifiedEvent[]>();
  const entries: VerifiedEvent[] = [];
  for (const { transactionHash, logIndex, blockHash } of page) {
    if (!judged.has(transactionHash)) {
      const verified = await verifyLaunch(pair, read, transactionHash);
      if (verified.kind === 'indeterminate') return verified;
      judged.set(transactionHash, verified.events);
    }
    const event = judged.get(transactionHash)!.find((one) => BigInt(one.logIndex) === logIndex);
    if (event === undefined || event.blockHash !== blockHash)
      return { kind: 'indeterminate', reason: 'a block of the window was replaced while it was read' };
    entries.push(event);
  }
  const last = page.at(-1);
  const hasMore = wanted.length > page.length && last !== undefined;
  return { kind: 'page', entries, nextCursor: hasMore ? `${last.blockNumber}:${last.logIndex}` : null };
}

const isAfter = (one: Place, other: Place): boolean =>
  one.blockNumber > other.blockNumber || (one.blockNumber === other.blockNumber && one.logIndex > other.logIndex);

/** Returns the part of a window in which a source can have launches, and the end of the previous page. */
function boundsOf(
  { source }: ReadSource,
  { from, to, pageSize = MAX_PAGE_ENTRIES, cursor = null }: LaunchWindow,
): { readonly from: bigint; readonly to: bigint; readonly after: Place | null } {
  if (from < 0n || to < from || to - from >= MAX_WINDOW_BLOCKS)
    throw new ReaderError('WINDOW_OUT_OF_BOUNDS', `a window has 1 to ${MAX_WINDOW_BLOCKS} blocks`);
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_ENTRIES)
    throw new ReaderError('PAGE_OUT_OF_BOUNDS', `a page has 1 to ${MAX_PAGE_ENTRIES} entries`);
  const start = BigInt(source.startBlock);
  const end = source.endBlock === null ? to : BigInt(source.endBlock);
  const after = cursor === null ? null : placeOf(cursor, from, to);
  const first = after?.blockNumber ?? from;
  return { from: first < start ? start : first, to: to < end ? to : end, after };
}

function placeOf(cursor: string, from: bigint, to: bigint): Place {
  const [, block, log] = /^(\d{1,20}):(\d{1,10})$/.exec(cursor) ?? [];
  const place = block === undefined || log === undefined ? null : { blockNumber: BigInt(block), logIndex: BigInt(log) };
  if (place === null || place.blockNumber < from || place.blockNumber > to)
    throw new ReaderError('CURSOR_INVALID', 'the cursor is not of this window');
  return place;
}
