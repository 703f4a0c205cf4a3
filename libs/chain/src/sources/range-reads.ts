import type { Hex } from 'viem';
import { BoundedMemory, SharedAnswers } from '../rpc/bounded.memory.js';
import type { ObserverPair } from '../rpc/observer.js';
import { sharingPair } from '../rpc/sharing.observer.js';
import { filterKey, type SourceFilter } from './log-filter.js';
import type { JudgedLaunch } from './verify-transaction.js';

/** Cache sizes per chain in bytes: block logs, judged launches, and reads under one head. */
const BLOCK_LOG_BYTES = 32 * 1024 * 1024;
const LAUNCH_BYTES = 64 * 1024 * 1024;
const VIEW_BYTES = 32 * 1024 * 1024;

/** Answers that the readers of one chain share for the life of the process; none of them depends on the head. */
export interface ChainReads {
  /** Returns reads under one head and one final block, so that no answer by block number is older. */
  under(): RangeReads;
}

/** Both observers of a chain, and the caches that its readers share. */
export interface RangeReads {
  readonly pair: ObserverPair;
  /** Answers by block number, dropped with the view. */
  readonly view: SharedAnswers;
  /** Agreed logs of single blocks, by block hash and filter. */
  readonly blockLogs: SharedAnswers;
  /** Judged launches, by source, block hash and place. */
  readonly launches: BoundedMemory<JudgedLaunch>;
  /** Adds a filter to the shared queries. */
  watch(filter: SourceFilter): void;
  /** Returns a filter that covers all watched ones: any of their contracts with any of their topics. */
  everything(): SourceFilter;
}

export function createChainReads(pair: ObserverPair): ChainReads {
  const shared = lastingReads();
  return { under: () => ({ ...shared, pair: sharingPair(pair), view: new SharedAnswers(VIEW_BYTES) }) };
}

/** Returns reads that no other reader shares. */
export const readsOf = (pair: ObserverPair): RangeReads => ({
  ...lastingReads(),
  pair,
  view: new SharedAnswers(VIEW_BYTES),
});

function lastingReads(): Omit<RangeReads, 'pair' | 'view'> {
  const watched = new Map<string, SourceFilter>();
  let everything: SourceFilter = { addresses: [], topics: [] };
  return {
    blockLogs: new SharedAnswers(BLOCK_LOG_BYTES),
    launches: new BoundedMemory(LAUNCH_BYTES),
    watch(filter) {
      const key = filterKey(filter);
      if (watched.has(key)) return;
      watched.set(key, filter);
      everything = unionOf([...watched.values()]);
    },
    everything: () => everything,
  };
}

const unionOf = (filters: readonly SourceFilter[]): SourceFilter => ({
  addresses: distinct(filters.flatMap(({ addresses }) => addresses)),
  topics: distinct(filters.flatMap(({ topics }) => topics)),
});

const distinct = (values: readonly Hex[]): readonly Hex[] => [...new Set(values)].sort();
