import { z } from 'zod';
import type { Hex } from 'viem';
import { ask, rpcLogSchema, type ChainLog } from '../rpc/rpc-answers.schema.js';
import { quantity, type RpcObserver } from '../rpc/observer.js';

export interface LogFilter {
  /** One contract, or any of several; lowercase. */
  readonly address: string | readonly string[];
  /** By position: this topic, one of these, or any. */
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  /** An inclusive range, or one block by hash. */
  readonly blocks: { readonly from: bigint; readonly to: bigint } | { readonly hash: Hex };
}

/** The number of logs at which endpoints truncate an answer. An answer with this many may be incomplete. */
export const MAX_LOGS = 10_000;
const logs = z.array(rpcLogSchema);

/** Returns logs in chain order. Drops logs that do not match the filter. @throws ChainError */
export async function getLogs(observer: RpcObserver, filter: LogFilter): Promise<ChainLog[]> {
  const blocks =
    'hash' in filter.blocks
      ? { blockHash: filter.blocks.hash }
      : { fromBlock: quantity(filter.blocks.from), toBlock: quantity(filter.blocks.to) };
  const addresses = [filter.address].flat();
  const found = await ask(
    observer,
    'eth_getLogs',
    [{ address: filter.address, topics: filter.topics, ...blocks }],
    logs,
  );
  return found
    .filter(
      (log) =>
        addresses.includes(log.address) &&
        inBlocks(log, filter.blocks) &&
        filter.topics.every((topic, index) => topic === null || [topic].flat().includes(log.topics[index]!)),
    )
    .sort((a, b) =>
      a.blockNumber === b.blockNumber ? Number(a.logIndex - b.logIndex) : a.blockNumber < b.blockNumber ? -1 : 1,
    );
}

const inBlocks = ({ blockHash, blockNumber }: ChainLog, blocks: LogFilter['blocks']): boolean =>
  'hash' in blocks ? blockHash === blocks.hash : blockNumber >= blocks.from && blockNumber <= blocks.to;
