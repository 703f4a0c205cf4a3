import type { Hex } from 'viem';
import { z } from 'zod';
import {
  agreeOnRange,
  incomplete,
  listedLogs,
  type Incomplete,
  type LogsWanted,
} from '../agreement/agreed-log-list.js';
import { agree, type Agreement } from '../agreement/agreement.js';
import { chainIdFault } from '../agreement/chain-id.js';
import { agreedHeader } from '../agreement/common-head.js';
import { ChainError } from '../chain.error.js';
import { getHeader } from '../reads/get-header.js';
import { MAX_LOGS } from '../reads/get-logs.js';
import { asksTooMuch } from '../reads/log-range.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { ask, rpcReceiptSchema, type BloomHeader, type ChainLog } from '../rpc/rpc-answers.schema.js';
import { bloomTest } from './logs-bloom.js';
import { rangeHeaders } from './range-headers.js';

/** Which logs of a source are wanted. */
export type SourceFilter = LogsWanted;

/** A block by its place and its parent. */
export interface ChainPlace {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/**
 * What became of a range. Incomplete says nothing about the chain: nothing may be concluded from it. A range that asked
 * for too much may do in parts.
 */
export type RangeResult =
  | {
      readonly kind: 'complete';
      /** In block and log order. */
      readonly logs: readonly ChainLog[];
      readonly first: ChainPlace;
      readonly last: ChainPlace;
      /** The range's own chain, to ask it for other logs. */
      readonly blocks: RangeChain;
    }
  | Incomplete;

export interface RangeLimits {
  /** An answer of as many logs counts as cut off. */
  readonly logCap: number;
}
export const DEFAULT_RANGE_LIMITS: RangeLimits = { logCap: MAX_LOGS };

/**
 * The logs of a range of blocks, inclusive, of which both observers list the same. The range's headers are one chain that
 * ends in a block that both have, of the chain that they are configured for, and no block's bloom filter speaks of a log that is not there (decision 87).
 */
export async function agreedLogs(
  pair: ObserverPair,
  filter: SourceFilter,
  from: bigint,
  to: bigint,
  limits: RangeLimits = DEFAULT_RANGE_LIMITS,
): Promise<RangeResult> {
  const [elsewhere, found] = await Promise.all([chainIdFault(pair), askedLogs(pair, filter, from, to, limits)]);
  if (found.kind === 'incomplete') return found;
  if (elsewhere !== null) return incomplete(elsewhere);
  const chain = await chainOf(pair, from, to);
  if (chain.kind === 'incomplete') return chain;
  const contradiction = await contradictionOf(pair, filter, found.value, chain);
  if (contradiction !== null) return incomplete(contradiction);
  return { kind: 'complete', logs: found.value, first: chain.first, last: chain.last, blocks: chain };
}

/** Other logs of a range that was read: of the very same blocks, or incomplete. */
export async function moreAgreedLogs(
  pair: ObserverPair,
  filter: SourceFilter,
  blocks: RangeChain,
  limits: RangeLimits = DEFAULT_RANGE_LIMITS,
): Promise<{ readonly kind: 'complete'; readonly logs: readonly ChainLog[] } | Incomplete> {
  const found = await askedLogs(pair, filter, blocks.first.number, blocks.last.number, limits);
  if (found.kind === 'incomplete') return found;
  const contradiction = await contradictionOf(pair, filter, found.value, blocks);
  return contradiction === null ? { kind: 'complete', logs: found.value } : incomplete(contradiction);
}

const askedLogs = (pair: ObserverPair, filter: SourceFilter, from: bigint, to: bigint, { logCap }: RangeLimits) =>
  agreeOnRange(pair, `logs ${from} to ${to}`, (observer) => listedLogs(observer, filter, { from, to }, logCap));

/** What says that logs are not those of these blocks; null for nothing. */
async function contradictionOf(
  pair: ObserverPair,
  filter: SourceFilter,
  logs: readonly ChainLog[],
  chain: RangeChain,
): Promise<string | null> {
  const strayed = logs.find(({ blockNumber, blockHash }) => chain.at(blockNumber).hash !== blockHash);
  if (strayed !== undefined)
    return `logs ${chain.first.number} to ${chain.last.number}: block ${strayed.blockNumber} was replaced`;
  const withLogs = new Set(logs.map(({ blockNumber }) => blockNumber));
  const speaks = bloomTest(filter.addresses, filter.topics, filter.second);
  for (const header of chain.headers) {
    if (withLogs.has(header.number) || !speaks(header.logsBloom)) continue;
    const contradiction = await silentBlock(pair, filter, header);
    if (contradiction !== null) return contradiction;
  }
  return null;
}

export interface RangeChain {
  readonly kind: 'chain';
  /** Of every block. */
  readonly headers: readonly BloomHeader[];
  readonly first: ChainPlace;
  readonly last: ChainPlace;
  /** A block of the range. */
  readonly at: (number: bigint) => ChainPlace;
}

/** The range's own chain, told by one observer and ending in a block that both have. */
async function chainOf(pair: ObserverPair, from: bigint, to: bigint): Promise<RangeChain | Incomplete> {
  const last = await agreedHeader<RpcObserver>(pair, to, getHeader);
  if (last.kind === 'indeterminate') return incomplete(last.reason);
  let headers: BloomHeader[];
  try {
    headers = await rangeHeaders(pair[0], from, to);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return incomplete(`headers ${from} to ${to}: ${pair[0].id} ${error.code}`, asksTooMuch(error));
  }
  const end = headers.at(-1)!;
  if (end.hash !== last.value.hash) return incomplete(`headers ${from} to ${to}: another chain than both observers'`);
  return {
    kind: 'chain',
    headers,
    first: headers[0]!,
    last: end,
    at: (number) => headers[Number(number - from)]!,
  };
}

const receipts = z.array(rpcReceiptSchema).max(100_000);

/**
 * A block without logs whose bloom filter speaks of some: a filter may err, and a provider may not have indexed the
 * block yet. The block's receipts, of both observers, decide. Null where the block has none indeed.
 */
async function silentBlock(
  pair: ObserverPair,
  { addresses, topics, second }: SourceFilter,
  { number, hash }: BloomHeader,
): Promise<string | null> {
  const logs: Agreement<number> = await agree<RpcObserver, number>(
    pair,
    `receipts of block ${number}`,
    async (observer) => {
      const all = await ask(observer, 'eth_getBlockReceipts', [hash], receipts);
      const own = all.flatMap((receipt) => receipt.logs);
      return own.filter(
        (log) =>
          addresses.includes(log.address) &&
          topics.includes(log.topics[0]!) &&
          (second === undefined || second.includes(log.topics[1]!)),
      ).length;
    },
  );
  if (logs.kind === 'indeterminate') return logs.reason;
  return logs.value === 0 ? null : `block ${number}: its receipts have logs that no query lists`;
}
