import type { Hex } from 'viem';
import type { BlockHeader, ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { Indeterminate, ObserverNote } from '../agreement/agreement.js';
import { agreedHeader } from '../agreement/common-head.js';
import { agreedReceipt } from './agreed-receipt.js';
import type { Poll } from './ports.types.js';

export interface ReceiptInBlock {
  readonly kind: 'found';
  readonly receipt: ChainReceipt;
  /** The observers that returned the receipt. */
  readonly observers: readonly ObserverNote[];
  /** The header of the block at the receipt's height. */
  readonly header: BlockHeader;
  /** Whether that block is the receipt's own. */
  readonly isCanonical: boolean;
}

/**
 * Reads a transaction's receipt and the header at its height from both observers.
 * @param ended returns the result if the receipt alone decides; then no block is read.
 */
export async function receiptInBlock<Ended = never>(
  poll: Pick<Poll, 'l2' | 'target' | 'now'>,
  hash: Hex,
  ended: (receipt: ChainReceipt) => Ended | null = () => null,
): Promise<ReceiptInBlock | { readonly kind: 'absent' } | Indeterminate | Ended> {
  const found = await agreedReceipt(poll, hash);
  if (found.kind === 'indeterminate') return found;
  const { value: receipt, observers } = found;
  if (receipt === null) return { kind: 'absent' };
  const early = ended(receipt);
  if (early !== null) return early;
  const header = await agreedHeader(poll.l2, receipt.blockNumber, (observer, at) => observer.header(at), poll.now);
  if (header.kind === 'indeterminate') return header;
  return {
    kind: 'found',
    receipt,
    observers,
    header: header.value,
    isCanonical: header.value.hash === receipt.blockHash,
  };
}

export const NOT_CANONICAL = 'receipt: its block is not the canonical one';
