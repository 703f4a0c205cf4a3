import { z } from 'zod';
import type { Hex } from 'viem';
import { ask, rpcLogSchema, type ChainLog } from '../rpc/rpc-answers.schema.js';
import { quantity, type RpcObserver } from '../rpc/observer.js';

export interface LogFilter {
  /** Of one contract, or of any of several; lowercase. */
  readonly address: string | readonly string[];
  /** By place: this one, one of these, or any. */
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  /** Inclusive range, or one block by hash. */
  readonly blocks: { readonly from: bigint; readonly to: bigint } | { readonly hash: Hex };
}

/** Logs at which endpoints cut an answer off: one of as many may be no whole answer. */
export const MAX_LOGS = 10_000;
const logs = z.array(rpcLogSchema);

/** Logs in chain order. Logs that the filter did not ask for are dropped. @throws ChainError */
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
