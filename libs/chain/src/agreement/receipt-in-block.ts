import type { Hex } from 'viem';
import type { BlockRef } from '../reads/block-ref.js';
import type { BlockHeader, ChainReceipt } from '../rpc/rpc-answers.schema.js';
import { agree, type Indeterminate, type ObserverNote } from './agreement.js';
import { agreedHeader } from './common-head.js';

/** How an observer is asked, of whichever port it is. */
export interface ReceiptReads<O> {
  readonly receipt: (observer: O, hash: Hex) => Promise<ChainReceipt | null>;
  readonly header: (observer: O, at: BlockRef) => Promise<BlockHeader | null>;
}

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
export async function receiptInBlock<O extends { readonly id: string }, Ended = never>(
  pair: readonly [O, O],
  hash: Hex,
  reads: ReceiptReads<O>,
  ended: (receipt: ChainReceipt) => Ended | null = () => null,
  now: () => number = Date.now,
): Promise<ReceiptInBlock | { readonly kind: 'absent' } | Indeterminate | Ended> {
  const found = await agree(pair, 'receipt', (observer) => reads.receipt(observer, hash), undefined, now);
  if (found.kind === 'indeterminate') return found;
  const { value: receipt, observers } = found;
  if (receipt === null) return { kind: 'absent' };
  const early = ended(receipt);
  if (early !== null) return early;
  const header = await agreedHeader(pair, receipt.blockNumber, reads.header, now);
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
