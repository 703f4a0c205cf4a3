import { agreeOnRange, listedLogs, type Unlisted } from '../agreement/agreed-log-list.js';
import { chainIdFault } from '../agreement/chain-id.js';
import { agreedHeader } from '../agreement/common-head.js';
import { ChainError } from '../chain.error.js';
import { getHeader } from '../reads/get-header.js';
import { MAX_LOGS } from '../reads/get-logs.js';
import { asksTooMuch } from '../reads/log-range.js';
import type { RpcObserver } from '../rpc/observer.js';
import type { BloomHeader, ChainLog } from '../rpc/rpc-answers.schema.js';
import { blockLogs, type BlockLogs } from './block-logs.js';
import { unindexedFault } from './indexed-block.js';
import { bytesOfLogs, filterKey, inOrder, matcherOf, type BlockFilter, type SourceFilter } from './log-filter.js';
import { bloomTest } from './logs-bloom.js';
import { rangeHeaders } from './range-headers.js';
import type { RangeReads } from './range-reads.js';
import {
  atBlock,
  incomplete,
  type ChainPlace,
  type Incomplete,
  type RangeChain,
  type RangeResult,
} from './range-result.js';

export interface RangeLimits {
  /** An answer with this many logs counts as truncated. */
  readonly logCap: number;
}
export const DEFAULT_RANGE_LIMITS: RangeLimits = { logCap: MAX_LOGS };

/**
 * Reads the logs of a range of blocks, inclusive, on which both observers agree. The range's headers form one chain of
 * the configured chain ID that ends in a block of both observers. If a block's bloom filter matches a log that the
 * range query lacks, the block is queried by its hash; so is a range of one block. If both observers then return no
 * such log, they must return other logs of that block.
 *
 * The sources of a chain share the requests: one query of a range covers all of them.
 */
export async function agreedLogs(
  reads: RangeReads,
  filter: SourceFilter,
  from: bigint,
  to: bigint,
  limits: RangeLimits = DEFAULT_RANGE_LIMITS,
): Promise<RangeResult> {
  reads.watch(filter);
  const [elsewhere, listed] = await Promise.all([
    chainIdFault(reads.pair),
    from === to ? null : listedTogether(reads, filter, from, to, limits),
  ]);
  if (listed?.kind === 'incomplete') return unlistedRange(listed, from, to);
  if (elsewhere !== null) return incomplete('transient', elsewhere, { from, to, block: null });
  const blocks = await chainOf(reads, from, to);
  if (blocks.kind === 'incomplete') return blocks;
  const wide: BlockFilter = { addresses: reads.everything().addresses, topics: null };
  const found = await checkedLogs(reads, filter, wide, listed?.value ?? null, blocks);
  if (found.kind === 'incomplete') return found;
  return { kind: 'complete', logs: found.logs, first: blocks.first, last: blocks.last, blocks };
}

/**
 * Reads other logs of a range that was already read: on the same blocks, or incomplete. Readers with the same filter
 * share them.
 */
export async function moreAgreedLogs(
  reads: RangeReads,
  filter: SourceFilter,
  blocks: RangeChain,
  limits: RangeLimits = DEFAULT_RANGE_LIMITS,
): Promise<{ readonly kind: 'complete'; readonly logs: readonly ChainLog[] } | Incomplete> {
  const [from, to] = [blocks.first.number, blocks.last.number];
  const listed = from === to ? null : await listedOnce(reads, filter, from, to, limits);
  if (listed?.kind === 'incomplete') return unlistedRange(listed, from, to);
  return checkedLogs(reads, filter, filter, listed?.value ?? null, blocks);
}

type Listed = { readonly kind: 'agreed'; readonly value: readonly ChainLog[] } | Unlisted;

const unlistedRange = ({ reason, isTooMuch }: Unlisted, from: bigint, to: bigint): Incomplete =>
  incomplete(isTooMuch ? 'too-much' : 'transient', reason, { from, to, block: null });

/** Reads from the query for all sources of the chain; if that is too large, by the filter's own query. */
async function listedTogether(
  reads: RangeReads,
  filter: SourceFilter,
  from: bigint,
  to: bigint,
  limits: RangeLimits,
): Promise<Listed> {
  const everything = reads.everything();
  const listed = await listedOnce(reads, everything, from, to, limits);
  if (listed.kind === 'agreed') return { kind: 'agreed', value: listed.value.filter(matcherOf(filter)) };
  const isNarrower = filterKey(everything) !== filterKey(filter);
  return listed.isTooMuch && isNarrower ? listedOnce(reads, filter, from, to, limits) : listed;
}

const listedOnce = (
  reads: RangeReads,
  filter: SourceFilter,
  from: bigint,
  to: bigint,
  { logCap }: RangeLimits,
): Promise<Listed> =>
  reads.view.once(
    `logs/${from}/${to}/${logCap}/${filterKey(filter)}`,
    () =>
      agreeOnRange(reads.pair, `logs ${from} to ${to}`, (observer) =>
        listedLogs(observer, filter, { from, to }, logCap),
      ),
    // A range that is too large is remembered too, so that the other sources do not repeat the failure.
    (listed) => (listed.kind === 'agreed' ? bytesOfLogs(listed.value) : listed.isTooMuch ? 0 : null),
  );

/**
 * Verifies logs against the chain of their range: each log is in a block of the chain, and blocks whose filters match
 * further logs are queried by their hashes.
 * @param wide the filter of the first query of such a block, whose answer is shared.
 * @param listed null without a range query; then every block is queried by its hash.
 */
async function checkedLogs(
  reads: RangeReads,
  filter: SourceFilter,
  wide: BlockFilter,
  listed: readonly ChainLog[] | null,
  chain: RangeChain,
): Promise<{ readonly kind: 'complete'; readonly logs: readonly ChainLog[] } | Incomplete> {
  const logs = listed ?? [];
  const strayed = logs.find(({ blockNumber, blockHash }) => chain.at(blockNumber).hash !== blockHash);
  if (strayed !== undefined) {
    const block = strayed.blockNumber;
    return incomplete('transient', `logs: block ${block} was replaced`, { from: block, to: block, block: null });
  }
  const withLogs = new Set(logs.map(({ blockNumber }) => blockNumber));
  const speaks = bloomTest(filter.addresses, filter.topics, filter.second);
  const silent = chain.headers.filter(({ number, logsBloom }) => !withLogs.has(number) && speaks(logsBloom));
  const asked = listed === null ? chain.headers : silent;
  if (asked.length === 0) return { kind: 'complete', logs };
  const more = await logsByHash(reads, filter, wide, { asked, silent: new Set(silent) });
  if (more.kind === 'incomplete') return more;
  return { kind: 'complete', logs: inOrder([...logs, ...more.logs]) };
}

interface AskedBlocks {
  readonly asked: readonly ChainPlace[];
  /** Blocks whose bloom filters match a log that no query returned. */
  readonly silent: ReadonlySet<ChainPlace>;
}

/** Blocks checked in parallel for being indexed. */
const CONTROLLED_AT_ONCE = 8;

/**
 * Reads logs of single blocks: by the wide filter, whose answers all sources share, or by the source's own filter if
 * that is too large. An empty answer from before the block was indexed proves nothing, so a block without logs is
 * accepted once it is known to be indexed.
 */
async function logsByHash(
  reads: RangeReads,
  filter: SourceFilter,
  wide: BlockFilter,
  { asked, silent }: AskedBlocks,
): Promise<{ readonly kind: 'complete'; readonly logs: readonly ChainLog[] } | Incomplete> {
  const unindexed = await unindexedAmong(
    reads,
    asked.filter((block) => silent.has(block)),
  );
  if (unindexed !== null) return unindexed;
  const matches = matcherOf(filter);
  const logs: ChainLog[] = [];
  for (const [isIndexed, blocks] of Map.groupBy(asked, (block) => silent.has(block))) {
    const shared = await blockLogs(reads, wide, blocks, isIndexed);
    for (const block of blocks) {
      let answer: BlockLogs = shared.get(block.hash)!;
      if (answer.kind === 'unlisted' && answer.asksTooMuch)
        answer = (await blockLogs(reads, filter, [block], isIndexed)).get(block.hash)!;
      if (answer.kind === 'unlisted')
        return incomplete(answer.isTooLarge ? 'unreadable' : 'transient', answer.reason, atBlock(block));
      for (const log of answer.logs) if (matches(log)) logs.push(log);
    }
  }
  return { kind: 'complete', logs };
}

/** Returns the first of some blocks that one of the observers has not indexed. */
async function unindexedAmong(reads: RangeReads, blocks: readonly ChainPlace[]): Promise<Incomplete | null> {
  for (let first = 0; first < blocks.length; first += CONTROLLED_AT_ONCE) {
    const some = blocks.slice(first, first + CONTROLLED_AT_ONCE);
    const faults = await Promise.all(some.map((block) => unindexedFault(reads, block)));
    const at = faults.findIndex((fault) => fault !== null);
    if (at >= 0) return incomplete('transient', faults[at]!, atBlock(some[at]!));
  }
  return null;
}

const HEADER_BYTES = 1_536;

/** Reads the range's chain from one observer, ending in a block that both have. */
const chainOf = (reads: RangeReads, from: bigint, to: bigint): Promise<RangeChain | Incomplete> =>
  reads.view.once(
    `chain/${from}/${to}`,
    () => agreedChain(reads, from, to),
    (chain) => (chain.kind === 'chain' ? chain.headers.length * HEADER_BYTES : null),
  );

async function agreedChain({ pair }: RangeReads, from: bigint, to: bigint): Promise<RangeChain | Incomplete> {
  const failed = (reason: string, isTooMuch = false): Incomplete =>
    incomplete(isTooMuch ? 'too-much' : 'transient', reason, { from, to, block: null });
  const last = await agreedHeader<RpcObserver>(pair, to, getHeader);
  if (last.kind === 'indeterminate') return failed(last.reason);
  let headers: BloomHeader[];
  try {
    headers = await rangeHeaders(pair[0], from, to);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return failed(`headers ${from} to ${to}: ${pair[0].id} ${error.code}`, from < to && asksTooMuch(error));
  }
  const end = headers.at(-1)!;
  if (end.hash !== last.value.hash) return failed(`headers ${from} to ${to}: another chain than both observers'`);
  return {
    kind: 'chain',
    headers,
    first: headers[0]!,
    last: end,
    at: (number) => headers[Number(number - from)]!,
  };
}
