import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import { getHeader } from '../reads/get-header.js';
import { isTooMuch, narrower, SMALLEST_RANGE } from '../reads/log-range.js';
import type { RpcObserver } from '../rpc/observer.js';
import { stampsOf, type FoundLog } from './scan-stamps.js';

/** One observer's view of a router's newest stamps. It asserts nothing: a stamp only directs the search. */
export interface RecentStamps {
  readonly stamps: readonly Pick<FoundLog, 'onchainLaunchId' | 'transactionHash'>[];
  /** The last block searched; below `from` if the observer has no newer block. */
  readonly through: bigint;
  /** True if no newer block remains to be searched. */
  readonly isCaughtUp: boolean;
}

/**
 * Returns a router's launch stamps from a block on, by one log query of at most `rangeBlocks`.
 * @throws ChainError
 */
export async function recentStamps(
  observer: RpcObserver,
  router: Hex,
  from: bigint,
  rangeBlocks: bigint,
): Promise<RecentStamps> {
  const head = await getHeader(observer, 'latest');
  if (head === null)
    throw new ChainError('RPC_ANSWER_INVALID', {
      observer: observer.id,
      method: 'eth_getBlockByNumber',
      problem: 'no latest block',
    });
  if (head.number < from) return { stamps: [], through: head.number, isCaughtUp: true };
  for (let range = rangeBlocks; ; range = narrower(range)) {
    const to = from + range - 1n < head.number ? from + range - 1n : head.number;
    try {
      const stamps = await stampsOf(observer, router, { from, to });
      return { stamps, through: to, isCaughtUp: to === head.number };
    } catch (error) {
      if (range <= SMALLEST_RANGE || !(error instanceof ChainError) || !isTooMuch(error.code)) throw error;
    }
  }
}
