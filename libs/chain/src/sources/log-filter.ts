import type { Hex } from 'viem';
import type { LogsWanted } from '../agreement/agreed-log-list.js';
import type { ChainLog } from '../rpc/rpc-answers.schema.js';

/** The wanted logs of a source. */
export type SourceFilter = LogsWanted;

/** The wanted logs of one block: of any of these contracts, with any of these first topics, or with any topic. */
export interface BlockFilter {
  readonly addresses: readonly Hex[];
  readonly topics: readonly Hex[] | null;
  readonly second?: readonly Hex[];
}

/** Returns a predicate for the logs that match a filter. */
export function matcherOf({ addresses, topics, second }: BlockFilter): (log: ChainLog) => boolean {
  const [emitters, firsts, seconds] = [new Set(addresses), topics && new Set(topics), second && new Set(second)];
  return ({ address, topics: [first, next] }) =>
    emitters.has(address) &&
    (firsts === null || (first !== undefined && firsts.has(first))) &&
    (seconds === undefined || (next !== undefined && seconds.has(next)));
}

/** Returns a key that is equal for equivalent filters. */
export const filterKey = ({ addresses, topics, second }: BlockFilter): string =>
  [addresses, topics ?? ['*'], second ?? ['*']].map((values) => [...values].sort().join()).join('/');

/** Encodes the filter for `eth_getLogs`, without its blocks. */
export const filterParameter = ({ addresses, topics, second }: BlockFilter) => ({
  address: addresses,
  topics: topics === null && second === undefined ? [] : [topics, ...(second === undefined ? [] : [second])],
});

export const inOrder = <L extends Pick<ChainLog, 'blockNumber' | 'logIndex'>>(logs: readonly L[]): L[] =>
  [...logs].sort((a, b) => Number(a.blockNumber - b.blockNumber) || Number(a.logIndex - b.logIndex));

/** Estimates the bytes that logs take in memory. */
export const bytesOfLogs = (logs: readonly ChainLog[]): number =>
  logs.reduce((sum, { data }) => sum + 768 + data.length, 0);
