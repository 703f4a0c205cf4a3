import type { Hex } from 'viem';
import type { BlockHeader, ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { Indeterminate, ObserverNote } from '../agreement/agreement.js';
import { agreedHeader } from '../agreement/common-head.js';
import { agreedReceipt } from './agreed-receipt.js';
import type { Look } from './ports.types.js';

export interface ReceiptInBlock {
  readonly kind: 'found';
  readonly receipt: ChainReceipt;
  /** Who showed the receipt. */
  readonly observers: readonly ObserverNote[];
  /** Of the block that stands at the receipt's height. */
  readonly header: BlockHeader;
  /** Whether that block is the receipt's own. */
  readonly isCanonical: boolean;
}

/**
 * A transaction's receipt and the header at its height, each as both observers show it.
 * @param ended what the receipt alone decides, if anything: then no block is asked for.
 */
export async function receiptInBlock<Ended = never>(
  look: Pick<Look, 'l2' | 'target' | 'now'>,
  hash: Hex,
  ended: (receipt: ChainReceipt) => Ended | null = () => null,
): Promise<ReceiptInBlock | { readonly kind: 'absent' } | Indeterminate | Ended> {
  const found = await agreedReceipt(look, hash);
  if (found.kind === 'indeterminate') return found;
  const { value: receipt, observers } = found;
  if (receipt === null) return { kind: 'absent' };
  const early = ended(receipt);
  if (early !== null) return early;
  const header = await agreedHeader(look.l2, receipt.blockNumber, (observer, at) => observer.header(at), look.now);
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
