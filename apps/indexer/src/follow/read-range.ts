import type { NamedBlob } from '@launch/blob-store';
import type { ObserverPair } from '@launch/chain';
import { agreedLogs, readsOf, verifyTransaction, type ChainPlace, type JudgedTransaction } from '@launch/chain/sources';
import type { IndexSource } from '@launch/contracts';
import type { SourceAdapter, TradedPool } from '@launch/evm/sources';
import { failpoint } from '@launch/platform';
import { rowOf, type IndexRows, type LaunchRow, type QuarantineRow } from '../rows/index-rows.js';
import { evidenceOf, type EvidenceStore } from '../rows/stored-evidence.js';
import { readSwaps } from './read-swaps.js';

/** A range of blocks, read and judged whole, or nothing. */
export type RangeRead =
  | ({ readonly kind: 'read'; readonly first: ChainPlace; readonly last: ChainPlace } & IndexRows)
  | { readonly kind: 'incomplete'; readonly reason: string; readonly isTooMuch: boolean };

/** Transactions of one range; more are read in parts, so that what stands in memory is bounded. */
const MAX_TRANSACTIONS = 256;
const SIDE_BY_SIDE = 8;

/** Blocks of a source, inclusive. */
export interface SourceRange {
  readonly source: IndexSource;
  readonly adapter: SourceAdapter;
  readonly from: bigint;
  readonly to: bigint;
  /** Of the source's launches so far: their trades are read, and those of launches in the range. */
  readonly pools: readonly TradedPool[];
}

const incomplete = (reason: string, isTooMuch = false): RangeRead => ({ kind: 'incomplete', reason, isTooMuch });

/**
 * Every launch that a source claims in a range of blocks, inclusive, each judged, and the trades in the pools of its launches.
 * What a launch was judged by is stored.
 */
export async function readRange(
  blobs: EvidenceStore,
  pair: ObserverPair,
  { source, adapter, from, to, pools }: SourceRange,
): Promise<RangeRead> {
  const filter = { addresses: [source.address], topics: adapter.anchorTopics };
  const reads = readsOf(pair);
  const found = await agreedLogs(reads, filter, from, to);
  if (found.kind === 'incomplete') return incomplete(found.reason, found.isTooMuch);
  if (found.logs.length > 0) failpoint('indexer.logs');
  const blockOf = new Map(
    found.logs.map(({ transactionHash, blockNumber }) => [transactionHash, found.blocks.at(blockNumber)]),
  );
  const transactions = [...blockOf.keys()];
  if (transactions.length > MAX_TRANSACTIONS && from < to)
    return incomplete(`blocks ${from} to ${to}: ${transactions.length} transactions`, true);
  const launches: LaunchRow[] = [];
  const quarantine: QuarantineRow[] = [];
  const documents: NamedBlob[] = [];
  let anchors = 0;
  for (let first = 0; first < transactions.length; first += SIDE_BY_SIDE) {
    const some = transactions.slice(first, first + SIDE_BY_SIDE);
    const judged = await Promise.all(
      some.map((transactionHash) =>
        verifyTransaction(reads, source, adapter, { transactionHash, block: blockOf.get(transactionHash)! }),
      ),
    );
    for (const one of judged) {
      if (one.kind !== 'judged') return incomplete(one.reason);
      const [open] = one.open;
      if (open !== undefined) return incomplete(open.reason);
      anchors += one.launches.length;
      keep(one, { launches, quarantine, documents });
    }
  }
  // A receipt that shows other launches than the query listed contradicts it.
  if (anchors !== found.logs.length)
    return incomplete(`blocks ${from} to ${to}: ${found.logs.length} logs, and ${anchors} in their receipts`);
  const known = new Map([...pools, ...launches.map(poolOf)].map((pool) => [pool.poolId, pool]));
  const traded = await readSwaps(reads, found.blocks, [...known.values()]);
  if (traded.kind === 'incomplete') return traded;
  await blobs.putAll(documents);
  return { kind: 'read', first: found.first, last: found.last, launches, quarantine, swaps: traded.swaps };
}

const poolOf = ({ record }: LaunchRow): TradedPool => ({
  poolId: record.poolId,
  poolManager: record.poolManager,
  hook: record.hookAddress,
  token: record.tokenAddress,
});

function keep(
  { receipt, launches }: Extract<JudgedTransaction, { kind: 'judged' }>,
  kept: {
    readonly launches: LaunchRow[];
    readonly quarantine: QuarantineRow[];
    readonly documents: NamedBlob[];
  },
): void {
  for (const judged of launches) {
    const { evidenceSha256, documents } = evidenceOf(judged);
    kept.documents.push(...documents);
    const row = rowOf(judged, receipt, evidenceSha256);
    if ('launch' in row) kept.launches.push(row.launch);
    else kept.quarantine.push(row.quarantined);
  }
}
