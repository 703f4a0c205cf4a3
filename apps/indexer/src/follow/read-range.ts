import type { NamedBlob } from '@launch/blob-store';
import { agreedHeader, getHeader, type RpcObserver } from '@launch/chain';
import {
  agreedLogs,
  verifyTransaction,
  type ChainPlace,
  type Incomplete as IncompleteRange,
  type JudgedTransaction,
  type RangeChain,
  type RangeReads,
} from '@launch/chain/sources';
import type { IndexSource, SourceLog } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import type { SourceAdapter, TradedPool } from '@launch/evm/sources';
import { failpoint } from '@launch/platform';
import type { HoldRow, HoldSubject } from '../holds/hold.repository.js';
import { rowOf, type IndexRows, type LaunchRow, type QuarantineRow } from '../rows/index-rows.js';
import type { SourcePools } from '../rows/known-pools.js';
import { evidenceOf, type EvidenceStore } from '../rows/stored-evidence.js';
import type { LeftOut } from './left-out.js';
import { readTrades } from './read-trades.js';

/** The place without an answer. */
export interface Obstacle {
  readonly subject: HoldSubject;
  /** The failing block, if it is known. */
  readonly block: bigint | null;
  /** Launches without a verdict, by their event's key; empty if the logs could not be read. */
  readonly events: readonly string[];
}

/**
 * A range of blocks, read and judged completely, or not at all. `too-much` may succeed in parts, and `transient` on a
 * retry; `unreadable` is permanent.
 */
export type RangeRead =
  | ({
      readonly kind: 'read';
      readonly first: ChainPlace;
      readonly last: ChainPlace;
      /** False if the block was left out. */
      readonly isComplete: boolean;
    } & IndexRows)
  | {
      readonly kind: 'incomplete';
      readonly reason: string;
      readonly cause: 'too-much' | 'transient' | 'unreadable';
      readonly obstacle: Obstacle;
    };

/** Maximum transactions of one range, which bounds memory; larger ranges are read in parts. */
const MAX_TRANSACTIONS = 256;
const SIDE_BY_SIDE = 8;

/** Returns the key of a launch's event. */
export const eventKey = (transactionHash: string, logIndex: number | null): string =>
  `${transactionHash}/${logIndex ?? '*'}`;

/** Blocks of a source, inclusive. */
export interface SourceRange {
  readonly source: IndexSource;
  readonly adapter: SourceAdapter;
  readonly from: bigint;
  readonly to: bigint;
  readonly leftOut: LeftOut;
  /** Launches that are not retried, by their event's key, each with the reason. */
  readonly givenUp: ReadonlyMap<string, string>;
  /** The only transaction whose launches are wanted; null for all. */
  readonly only: string | null;
  /** The pools of the source's earlier launches. Their trades are read, and those of launches in the range. */
  readonly pools: SourcePools;
}

type Incomplete = Extract<RangeRead, { kind: 'incomplete' }>;
const incomplete = (reason: string, cause: Incomplete['cause'], obstacle: Partial<Obstacle> = {}): Incomplete => ({
  kind: 'incomplete',
  reason,
  cause,
  obstacle: { subject: 'launches', block: null, events: [], ...obstacle },
});

/** Converts a range's incompleteness for its launches or its trades. */
const refused = ({ reason, cause, obstacle }: IncompleteRange, subject: HoldSubject): Incomplete =>
  incomplete(reason, cause, { subject, block: obstacle.block?.number ?? null });

type Found = Extract<Awaited<ReturnType<typeof agreedLogs>>, { kind: 'complete' }>['logs'];

/**
 * Reads and judges every launch that a source claims in a range of blocks, inclusive, and reads the trades in the pools
 * of its launches. Stores the evidence of each judgement.
 */
export async function readRange(blobs: EvidenceStore, reads: RangeReads, range: SourceRange): Promise<RangeRead> {
  const { source, adapter, from, to, pools, leftOut, only } = range;
  if (leftOut.block) return readPast(reads, from, leftOut.reason);
  const filter = { addresses: [source.address], topics: adapter.anchorTopics };
  const found = await agreedLogs(reads, filter, from, to);
  if (found.kind === 'incomplete') return refused(found, 'launches');
  const { first: firstBlock, last, blocks } = found;
  if (found.logs.length > 0) failpoint('indexer.logs');
  const logs = Map.groupBy(found.logs, ({ transactionHash }) => transactionHash);
  const transactions = [...logs.keys()].filter(
    (hash) => !leftOut.transactions.has(hash) && (only === null || only === hash),
  );
  if (transactions.length > MAX_TRANSACTIONS && from < to)
    return incomplete(`blocks ${from} to ${to}: ${transactions.length} transactions`, 'too-much');
  const launches: LaunchRow[] = [];
  const quarantine: QuarantineRow[] = [];
  const open = new Map<string, string>();
  for (let first = 0; first < transactions.length; first += SIDE_BY_SIDE) {
    const some = transactions.slice(first, first + SIDE_BY_SIDE);
    const judged = await Promise.all(some.map((hash) => judge(reads, range, logs.get(hash)!, blocks)));
    const documents: NamedBlob[] = [];
    for (const one of judged) {
      launches.push(...one.launches);
      quarantine.push(...one.quarantine);
      documents.push(...one.documents);
      for (const [event, reason] of one.open) open.set(event, reason);
    }
    await blobs.putAll(documents);
  }
  const [reason] = open.values();
  if (reason !== undefined) return incomplete(reason, 'transient', { events: [...open.keys()] });
  const holds = unreadable(quarantine, (number) => blocks.at(number).timestamp);
  const rows = { launches, quarantine, holds };
  if (leftOut.trades) {
    const left = leftOut.reason === null ? [] : [holdOf(last, 'trades', leftOut.reason)];
    return { kind: 'read', first: firstBlock, last, isComplete: true, ...rows, holds: [...holds, ...left], swaps: [] };
  }
  const traded = await readTrades(reads, blocks, pools, launches.map(poolOf));
  if (traded.kind === 'incomplete') return refused(traded, 'trades');
  return { kind: 'read', first: firstBlock, last, isComplete: true, ...rows, swaps: traded.swaps };
}

/** Reads only the place of a block. */
async function readPast({ pair }: RangeReads, block: bigint, reason: string | null): Promise<RangeRead> {
  const header = await agreedHeader<RpcObserver>(pair, block, getHeader);
  if (header.kind === 'indeterminate') return incomplete(header.reason, 'transient');
  const place = header.value;
  const holds = reason === null ? [] : [holdOf(place, 'launches', reason), holdOf(place, 'trades', reason)];
  return { kind: 'read', first: place, last: place, isComplete: false, launches: [], quarantine: [], swaps: [], holds };
}

const holdOf = ({ number, timestamp }: ChainPlace, subject: HoldSubject, reason: string): HoldRow => ({
  blockNumber: number,
  transactionHash: null,
  subject,
  reason,
  timestamp,
});

/** Creates a hold for each transaction with an unreadable launch, so that the index retries it. */
function unreadable(quarantine: readonly QuarantineRow[], timeOf: (block: bigint) => bigint): readonly HoldRow[] {
  const rows = quarantine.filter(({ reason }) => reason === 'EVIDENCE_UNREADABLE');
  const byTransaction = new Map(rows.map((row) => [row.transactionHash, row]));
  return [...byTransaction.values()].map(({ blockNumber, transactionHash, detail }) => ({
    blockNumber,
    transactionHash: transactionHash as Hex,
    subject: 'launches',
    reason: detail,
    timestamp: timeOf(blockNumber),
  }));
}

const poolOf = ({ record }: LaunchRow): TradedPool => ({
  poolId: record.poolId,
  poolManager: record.poolManager,
  hook: record.hookAddress,
  token: record.tokenAddress,
});

/** The results for the launches of a transaction. */
interface JudgedRows {
  readonly launches: readonly LaunchRow[];
  readonly quarantine: readonly QuarantineRow[];
  readonly documents: readonly NamedBlob[];
  /** Launches without a verdict, by their event's key, each with the reason. */
  readonly open: ReadonlyMap<string, string>;
}

/** Judges the launches of a transaction; those that were given up or are unreadable are quarantined as unreadable. */
async function judge(
  reads: RangeReads,
  { source, adapter, givenUp }: SourceRange,
  logs: Found,
  blocks: RangeChain,
): Promise<JudgedRows> {
  const { transactionHash, blockNumber } = logs[0]!;
  const whole = eventKey(transactionHash, null);
  const allUnread = (reason: string): JudgedRows => ({
    ...NO_ROWS,
    quarantine: logs.map((log) => quarantineOf(log, log, 0, reason)),
  });
  const reason = givenUp.get(whole);
  if (reason !== undefined) return allUnread(reason);
  const wanted = logs.map(({ logIndex }) => Number(logIndex));
  const left = new Set(wanted.filter((logIndex) => givenUp.has(eventKey(transactionHash, logIndex))));
  const place = { transactionHash, block: blocks.at(blockNumber) };
  const judged = await verifyTransaction(reads, source, adapter, place, left);
  if (judged.kind === 'unreadable') return allUnread(judged.reason);
  if (judged.kind === 'indeterminate') return { ...NO_ROWS, open: new Map([[whole, judged.reason]]) };
  const rows = rowsOf(judged, logs[0]!, givenUp);
  if (rows.open.size > 0 || judged.launches.length + judged.open.length === logs.length) return rows;
  const shown = judged.launches.length + judged.open.length;
  const contradiction = `transaction ${transactionHash}: ${logs.length} logs, and ${shown} in its block`;
  return { ...NO_ROWS, open: new Map([[whole, contradiction]]) };
}

const NO_ROWS: JudgedRows = { launches: [], quarantine: [], documents: [], open: new Map() };

function rowsOf(
  { receipt, launches: judged, open }: Extract<JudgedTransaction, { kind: 'judged' }>,
  place: LogPlace,
  givenUp: SourceRange['givenUp'],
): JudgedRows {
  const { transactionHash, transactionIndex } = receipt;
  const launches: LaunchRow[] = [];
  const quarantine: QuarantineRow[] = [];
  const documents: NamedBlob[] = [];
  const waiting = new Map<string, string>();
  for (const one of judged) {
    const evidence = evidenceOf(one);
    documents.push(...evidence.documents);
    const row = rowOf(one, receipt, evidence.evidenceSha256);
    const event = eventKey(transactionHash, one.candidate.anchor.logIndex);
    const reason = givenUp.get(event);
    // A launch with a verdict that another source contests was given up nevertheless.
    if ('launch' in row && reason !== undefined)
      quarantine.push(quarantineOf(place, one.candidate.anchor, transactionIndex, reason));
    else if ('launch' in row) launches.push(row.launch);
    else quarantine.push(row.quarantined);
  }
  for (const { candidate, reason, isUnreadable } of open) {
    const event = eventKey(transactionHash, candidate.anchor.logIndex);
    if (isUnreadable)
      quarantine.push(quarantineOf(place, candidate.anchor, transactionIndex, givenUp.get(event) ?? reason));
    else waiting.set(event, reason);
  }
  return { launches, quarantine, documents, open: waiting };
}

type LogPlace = Pick<Found[number], 'blockNumber' | 'blockHash' | 'transactionHash'>;

/** @param transactionIndex 0 if the transaction itself could not be read. */
function quarantineOf(
  { blockNumber, blockHash, transactionHash }: LogPlace,
  { address, topics, data, logIndex }: Omit<SourceLog, 'logIndex'> & { readonly logIndex: number | bigint },
  transactionIndex: number,
  detail: string,
): QuarantineRow {
  return {
    blockNumber,
    blockHash,
    transactionHash,
    transactionIndex,
    log: { address, topics, data, logIndex: Number(logIndex) },
    reason: 'EVIDENCE_UNREADABLE',
    detail,
    evidenceSha256: null,
  };
}
