import type { L1Posting, L2Inclusion } from '@launch/contracts/launch';
import { agree } from '../agreement/agreement.js';
import { agreedHeader } from '../agreement/common-head.js';
import { ABSENT, unknown, type BlockPoll, type L2Block, type Poll, type StageVerdict } from './ports.types.js';

/** The batch number by which a poster leaves the number to the inbox. */
const NEXT_BATCH = 2n ** 256n - 1n;

/** Judges the posting of a launch by its block's posting. */
export const judgePosting = (
  poll: Poll,
  inclusion: L2Inclusion,
  before: L1Posting | null,
): Promise<StageVerdict<L1Posting>> =>
  judgeBlockPosting(poll, { number: BigInt(inclusion.blockNumber), hash: inclusion.blockHash }, before);

/**
 * Judges the posting of a block. Both L2 observers report the same batch for the block. Both L1 observers return
 * exactly one delivery of it, with the same block hash and accumulator. The posting call states `prevMessageCount <=
 * block - genesis < newMessageCount`. The block is still canonical.
 */
export async function judgeBlockPosting(
  poll: BlockPoll,
  { number: block, hash }: L2Block,
  before: L1Posting | null,
): Promise<StageVerdict<L1Posting>> {
  const { target, now } = poll;
  const batch = await agree(
    poll.l2,
    'batch of the block',
    (observer) => observer.batchContaining(target, block),
    undefined,
    now,
  );
  if (batch.kind === 'indeterminate') return unknown(batch.reason);
  if (batch.value === null) return ABSENT;
  const number = batch.value;

  const expectedAt = before?.batchNumber === number.toString() ? BigInt(before.l1BlockNumber) : null;
  const deliveries = await agree(
    poll.l1,
    `batch ${number}`,
    (observer) => observer.batchDeliveries(target, number, expectedAt),
    undefined,
    now,
  );
  if (deliveries.kind === 'indeterminate') return unknown(deliveries.reason);
  const [delivery] = deliveries.value;
  if (delivery === undefined) return ABSENT;
  if (deliveries.value.length !== 1) return unknown(`batch ${number}: delivered ${deliveries.value.length} times`);

  const bounds = await agree(
    poll.l1,
    `call of batch ${number}`,
    (observer) => observer.batchBounds(target, delivery.transactionHash),
    undefined,
    now,
  );
  if (bounds.kind === 'indeterminate') return unknown(bounds.reason);
  if (bounds.value === null) return unknown(`call of batch ${number}: not one that posts batches`);
  if (bounds.value.sequenceNumber !== number && bounds.value.sequenceNumber !== NEXT_BATCH)
    return unknown(`call of batch ${number}: names another batch`);
  const message = block - target.genesisBlock;
  const { prevMessageCount, newMessageCount } = bounds.value;
  if (message < prevMessageCount || message >= newMessageCount)
    return unknown(`batch ${number}: its call does not cover the block`);
  // Read after the batch: the batch holds the canonical chain, which may have changed since the receipt was read.
  const header = await agreedHeader(poll.l2, block, (observer, at) => observer.header(at), now);
  if (header.kind === 'indeterminate') return unknown(header.reason);
  if (header.value.hash !== hash) return unknown('inclusion: its block is not the canonical one any more');
  return {
    kind: 'holds',
    value: {
      sequencerInbox: target.sequencerInbox,
      batchNumber: number.toString(),
      batchTransactionHash: delivery.transactionHash,
      l1BlockNumber: delivery.blockNumber.toString(),
      l1BlockHash: delivery.blockHash,
      logIndex: Number(delivery.logIndex),
      firstL2Block: (target.genesisBlock + prevMessageCount).toString(),
      lastL2Block: (target.genesisBlock + newMessageCount - 1n).toString(),
      afterAcc: delivery.afterAcc,
      observers: [...deliveries.observers],
    },
  };
}
