import type { L1Checkpoint, L1Posting, L2Inclusion } from '@launch/contracts/launch';
import type { Hex } from 'viem';
import { agree, type ObserverNote } from '../agreement/agreement.js';
import { agreedHeader, tipsOf } from '../agreement/common-head.js';
import { agreedReceipt } from './agreed-receipt.js';
import { inclusionOf, sameInclusion } from './judge-inclusion.js';
import { ABSENT, unknown, type BlockPoll, type L2Block, type Poll, type StageVerdict } from './ports.types.js';
import { stampFault, stateFault } from './target-proof.js';

/** Judges the finality of a launch by its block's finality, and reads its receipt, stamp and state again. */
export const judgeFinality = (
  poll: Poll,
  inclusion: L2Inclusion,
  posting: L1Posting,
): Promise<StageVerdict<L1Checkpoint>> =>
  judgeBlockFinality(
    poll,
    { number: BigInt(inclusion.blockNumber), hash: inclusion.blockHash },
    posting,
    async () =>
      (await receiptFault(poll, inclusion)) ??
      (inclusion.receiptStatus === 'success'
        ? await stateFault(poll, inclusion.blockHash, inclusion.transactionHash)
        : null),
  );

/**
 * Judges the finality of a block. The posting block is at or below the lower of both L1 observers' finalized blocks,
 * and both have the same block there. Each L2 node's own finalized block is at or above the block. The bridge's
 * accumulator at the checkpoint equals the event's. The block's facts are read again.
 * @param again returns a fault found after the finalized tips were read, or null.
 */
export async function judgeBlockFinality(
  poll: BlockPoll,
  block: L2Block,
  posting: L1Posting,
  again: () => Promise<string | null>,
): Promise<StageVerdict<L1Checkpoint>> {
  const tips = await tipsOf(poll.l1, 'finalized', (observer, at) => observer.header(at));
  if (tips.kind === 'indeterminate') return unknown(tips.reason);
  const height = tips.lower.number;
  if (BigInt(posting.l1BlockNumber) > height) return ABSENT;
  const l2Tips = await tipsOf(poll.l2, 'finalized', (observer, at) => observer.header(at));
  if (l2Tips.kind === 'indeterminate') return unknown(l2Tips.reason);
  if (l2Tips.lower.number < block.number) return ABSENT;

  const checkpoint = await agreedHeader(poll.l1, height, (observer, at) => observer.header(at), poll.now);
  if (checkpoint.kind === 'indeterminate') return unknown(checkpoint.reason);
  const fault = (await postingFault(poll, posting, checkpoint.value.hash)) ?? (await again());
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

/** Checks that the posting's block is canonical and that the accumulator at the checkpoint is the event's. */
async function postingFault(poll: BlockPoll, posting: L1Posting, checkpointHash: Hex): Promise<string | null> {
  const block = await agreedHeader(
    poll.l1,
    BigInt(posting.l1BlockNumber),
    (observer, at) => observer.header(at),
    poll.now,
  );
  if (block.kind === 'indeterminate') return block.reason;
  if (block.value.hash !== posting.l1BlockHash) return 'posting: its block is not the canonical one';
  const number = BigInt(posting.batchNumber);
  const accumulator = await agree(
    poll.l1,
    'accumulator',
    (observer) => observer.accumulator(poll.target, number, checkpointHash),
    undefined,
    poll.now,
  );
  if (accumulator.kind === 'indeterminate') return accumulator.reason;
  return accumulator.value === posting.afterAcc ? null : 'accumulator: not the one the batch left';
}

/** Reads the receipt, its stamp and its block again after the finalized tips. */
async function receiptFault(poll: Poll, inclusion: L2Inclusion): Promise<string | null> {
  const receipt = await agreedReceipt(poll, inclusion.transactionHash, 'receipt again');
  if (receipt.kind === 'indeterminate') return receipt.reason;
  if (receipt.value === null || !sameInclusion(inclusion, inclusionOf(receipt.value, [])))
    return 'receipt again: changed';
  const header = await agreedHeader(
    poll.l2,
    BigInt(inclusion.blockNumber),
    (observer, at) => observer.header(at),
    poll.now,
  );
  if (header.kind === 'indeterminate') return header.reason;
  if (header.value.hash !== inclusion.blockHash) return 'receipt again: its block is not the canonical one';
  return receipt.value.status === 'success' ? stampFault(poll, receipt.value.logs) : null;
}
