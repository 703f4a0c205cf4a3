import type { Hex } from 'viem';
import { agree, type Agreement } from '../agreement/agreement.js';
import { isChainError } from '../chain.error.js';
import type { ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { L2FinalityObserver, Look } from './ports.types.js';

/**
 * A transaction's receipt as both observers show it, null while it has none. One that is too long for either of them is read
 * of both with the router's logs alone: the sender of a launch chooses what else its transaction logs, and how much of it.
 * @param what names the question in the reason.
 */
export async function agreedReceipt(
  { l2, target: { router }, now }: Pick<Look, 'l2' | 'target' | 'now'>,
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
