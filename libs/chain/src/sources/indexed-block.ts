import { z } from 'zod';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from '../rpc/observer.js';
import { ask } from '../rpc/rpc-answers.schema.js';
import type { RangeReads } from './range-reads.js';
import type { ChainPlace } from './range-result.js';

/** Enough to distinguish a list of logs from an empty one. */
const CONTROL_BYTES = 64 * 1024;

/** Failures that a long list causes and an empty one does not. */
const OF_LONG_LISTS: ReadonlySet<string> = new Set(['RPC_ANSWER_TOO_LARGE', 'RPC_REFUSED', 'RPC_TIMEOUT']);

/**
 * Checks whether both observers have indexed a block. A block with a non-empty bloom filter has logs. An endpoint that
 * returns none has not indexed the block, so an empty answer for a source proves nothing.
 * @returns null if both have; otherwise the fault with the observer's id.
 */
export const unindexedFault = ({ pair, blockLogs }: RangeReads, { hash }: ChainPlace): Promise<string | null> =>
  blockLogs.once(
    `indexed/${hash}`,
    async () => {
      const faults = await Promise.all(pair.map((observer) => faultOf(observer, hash)));
      return faults.find((fault) => fault !== null) ?? null;
    },
    (fault) => (fault === null ? 0 : null),
  );

const logs = z.array(z.unknown());

async function faultOf(observer: RpcObserver, blockHash: string): Promise<string | null> {
  try {
    const listed = await ask(observer, 'eth_getLogs', [{ blockHash }], logs, CONTROL_BYTES);
    return listed.length > 0
      ? null
      : `logs of block ${blockHash}: ${observer.id} lists none, against the block's filter`;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return OF_LONG_LISTS.has(error.code) ? null : `logs of block ${blockHash}: ${observer.id} ${error.code}`;
  }
}
