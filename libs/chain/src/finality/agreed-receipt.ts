import type { Hex } from 'viem';
import { agree, type Agreement } from '../agreement/agreement.js';
import { isChainError } from '../chain.error.js';
import type { ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { L2FinalityObserver, Poll } from './ports.types.js';

/**
 * Reads a transaction's receipt from both observers, or null while it has none. A receipt that is too long for either
 * is assembled from the router's logs alone, because the sender of a launch controls the number of other logs in its
 * transaction.
 * @param what names the question in the reason.
 */
export async function agreedReceipt(
  { l2, target: { router }, now }: Pick<Poll, 'l2' | 'target' | 'now'>,
  hash: Hex,
  what = 'receipt',
): Promise<Agreement<ChainReceipt | null>> {
  let isLong = false;
  const whole = await agree<L2FinalityObserver, ChainReceipt | null>(
    l2,
    what,
    async (observer) => {
      try {
        return await observer.receipt(hash);
      } catch (error) {
        isLong ||= isChainError(error, 'RPC_ANSWER_TOO_LARGE');
        throw error;
      }
    },
    undefined,
    now,
  );
  return whole.kind === 'agreed' || !isLong
    ? whole
    : agree(l2, what, (observer) => observer.longReceipt(hash, router), undefined, now);
}
