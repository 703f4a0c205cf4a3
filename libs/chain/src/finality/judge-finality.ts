import type { L1Checkpoint, L1Posting, L2Inclusion } from '@launch/contracts/launch';
import type { Hex } from 'viem';
import { agree, type ObserverNote } from '../agreement/agreement.js';
import { agreedHeader, tipsOf } from '../agreement/common-head.js';
import { agreedReceipt } from './agreed-receipt.js';
import { inclusionOf, sameInclusion } from './judge-inclusion.js';
import { ABSENT, unknown, type BlockLook, type L2Block, type Look, type StageVerdict } from './ports.types.js';
import { stampFault, stateFault } from './target-proof.js';

/** A launch is final as its block is, with its receipt, its stamp and its state read again. */
export const judgeFinality = (
  look: Look,
  inclusion: L2Inclusion,
  posting: L1Posting,
): Promise<StageVerdict<L1Checkpoint>> =>
  judgeBlockFinality(
    look,
    { number: BigInt(inclusion.blockNumber), hash: inclusion.blockHash },
    posting,
    async () =>
      (await receiptFault(look, inclusion)) ??
      (inclusion.receiptStatus === 'success'
        ? await stateFault(look, inclusion.blockHash, inclusion.transactionHash)
        : null),
  );

/**
 * Finalized: the posting block is at or below the smaller of both L1 observers' finalized blocks and both have the same
 * block there. Each L2 node's own finalized block is at or above the block. The bridge's accumulator read at the
 * checkpoint equals the event's. What stands in the block is read again.
 * @param again what is wrong with it, read after the finalized tips; null where nothing is.
 */
export async function judgeBlockFinality(
  look: BlockLook,
  block: L2Block,
  posting: L1Posting,
  again: () => Promise<string | null>,
): Promise<StageVerdict<L1Checkpoint>> {
  const tips = await tipsOf(look.l1, 'finalized', (observer, at) => observer.header(at));
  if (tips.kind === 'indeterminate') return unknown(tips.reason);
  const height = tips.lower.number;
  if (BigInt(posting.l1BlockNumber) > height) return ABSENT;
  const l2Tips = await tipsOf(look.l2, 'finalized', (observer, at) => observer.header(at));
  if (l2Tips.kind === 'indeterminate') return unknown(l2Tips.reason);
  if (l2Tips.lower.number < block.number) return ABSENT;

  const checkpoint = await agreedHeader(look.l1, height, (observer, at) => observer.header(at), look.now);
  if (checkpoint.kind === 'indeterminate') return unknown(checkpoint.reason);
  const fault = (await postingFault(look, posting, checkpoint.value.hash)) ?? (await again());
  if (fault !== null) return unknown(fault);
  return { kind: 'holds', value: checkpointOf(checkpoint.value, checkpoint.observers) };
}

const checkpointOf = (
  header: { readonly number: bigint; readonly hash: Hex },
  observers: readonly ObserverNote[],
): L1Checkpoint => ({
  blockNumber: header.number.toString(),
  blockHash: header.hash,
  epoch: null,
  observers: [...observers],
});

/** The posting's block is canonical, and the accumulator at the checkpoint is the event's. */
async function postingFault(look: BlockLook, posting: L1Posting, checkpointHash: Hex): Promise<string | null> {
  const block = await agreedHeader(
    look.l1,
    BigInt(posting.l1BlockNumber),
    (observer, at) => observer.header(at),
    look.now,
  );
  if (block.kind === 'indeterminate') return block.reason;
  if (block.value.hash !== posting.l1BlockHash) return 'posting: its block is not the canonical one';
  const number = BigInt(posting.batchNumber);
  const accumulator = await agree(
    look.l1,
    'accumulator',
    (observer) => observer.accumulator(look.target, number, checkpointHash),
    undefined,
    look.now,
  );
  if (accumulator.kind === 'indeterminate') return accumulator.reason;
  return accumulator.value === posting.afterAcc ? null : 'accumulator: not the one the batch left';
}

/** Receipt, its stamp and its block, read again after the finalized tips. */
async function receiptFault(look: Look, inclusion: L2Inclusion): Promise<string | null> {
  const receipt = await agreedReceipt(look, inclusion.transactionHash, 'receipt again');
  if (receipt.kind === 'indeterminate') return receipt.reason;
  if (receipt.value === null || !sameInclusion(inclusion, inclusionOf(receipt.value, [])))
    return 'receipt again: changed';
  const header = await agreedHeader(
    look.l2,
    BigInt(inclusion.blockNumber),
    (observer, at) => observer.header(at),
    look.now,
  );
  if (header.kind === 'indeterminate') return header.reason;
  if (header.value.hash !== inclusion.blockHash) return 'receipt again: its block is not the canonical one';
  return receipt.value.status === 'success' ? stampFault(look, receipt.value.logs) : null;
}
