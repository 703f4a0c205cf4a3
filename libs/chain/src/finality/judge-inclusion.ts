import type { L2Inclusion } from '@launch/contracts/launch';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { wire, type ObserverNote } from '../agreement/agreement.js';
import { NOT_CANONICAL, receiptInBlock } from './receipt-in-block.js';
import type { BlockHeader, ChainReceipt } from '../rpc/rpc-answers.schema.js';
import { ABSENT, unknown, type Candidate, type Poll, type StageVerdict } from './ports.types.js';
import { namesTarget, runtimeFault, stampFault } from './target-proof.js';

/** Conditions on a receipt that both observers have in their chain. */
export interface ReceiptCheck {
  /** Whether it is the searched receipt; any other counts as absent. */
  readonly isWanted: (receipt: ChainReceipt) => boolean;
  /** Whether a block of this time can hold it, Unix seconds. */
  readonly isInTime: (timestamp: bigint) => boolean;
  /** Returns the fault of a wanted receipt, or null. */
  readonly faultOf: (receipt: ChainReceipt, header: BlockHeader) => string | null | Promise<string | null>;
}

/**
 * Judges inclusion: both L2 observers have the exact transaction, the same receipt and the same header hash at its
 * block. The block's time is in the permit window, both ends inclusive. A successful receipt holds exactly the stamp
 * that the signed launch must leave. A reverted receipt is an inclusion too, with `receiptStatus: reverted`. A plan's
 * deploy step leaves no stamp: its component has the declared code at that block.
 */
export const judgeInclusion = (poll: Poll, candidate: Candidate): Promise<StageVerdict<L2Inclusion>> =>
  judgeReceipt(poll, candidate, launchCheck(poll));

/** Judges whether a sighted transaction is in the chain and passes a check. */
export async function judgeReceipt(
  poll: Pick<Poll, 'l2' | 'now' | 'target'>,
  { sightings, hash }: Candidate,
  { isWanted, isInTime, faultOf }: ReceiptCheck,
): Promise<StageVerdict<L2Inclusion>> {
  const ended = (receipt: ChainReceipt) => {
    if (!isWanted(receipt)) return ABSENT;
    const isExact = sightings.every((sighting) => sighting === 'exact');
    return isExact ? null : unknown('transaction: not both observers show the exact one');
  };
  const seen = await receiptInBlock(poll, hash, ended);
  if (seen.kind === 'indeterminate') return unknown(seen.reason);
  if (seen.kind !== 'found') return seen;
  const { receipt, header, observers } = seen;
  // The router refuses a transaction sent too early or too late, so the permit is unchanged.
  if (receipt.status === 'reverted' && !isInTime(header.timestamp)) return ABSENT;
  if (!seen.isCanonical) return unknown(NOT_CANONICAL);
  if (!isInTime(header.timestamp)) return unknown('inclusion: outside the permit window');
  const fault = await faultOf(receipt, header);
  return fault === null ? { kind: 'holds', value: inclusionOf(receipt, observers) } : unknown(fault);
}

/** Builds the check of the launch's or step's receipt. */
function launchCheck(poll: Poll): ReceiptCheck {
  const { target } = poll;
  const { transaction, window } = target;
  return {
    // Only its stamp identifies a wallet's own transaction. One without the stamp is another transaction, whether it
    // succeeded or not.
    isWanted: ({ status, logs }) => transaction !== null || (status === 'success' && namesTarget(target, logs)),
    isInTime: (timestamp) => timestamp >= window.validAfter && timestamp <= window.deadline,
    faultOf: (receipt, header) => {
      if (transaction !== null && (receipt.from !== transaction.from || receipt.to !== transaction.to))
        return 'receipt: of another transaction';
      if (receipt.status !== 'success') return null;
      return stampFault(poll, receipt.logs) ?? (target.provenBy === 'code' ? runtimeFault(poll, header.hash) : null);
    },
  };
}

/** Converts an agreed receipt to its wire form. */
export function inclusionOf(receipt: ChainReceipt, observers: readonly ObserverNote[]): L2Inclusion {
  return {
    blockNumber: receipt.blockNumber.toString(),
    blockHash: receipt.blockHash,
    transactionIndex: Number(receipt.transactionIndex),
    transactionHash: receipt.transactionHash,
    receiptStatus: receipt.status,
    logsSha256: canonicalSha256(wire(receipt.logs)),
    observers: [...observers],
  };
}

/** Checks whether two inclusions are the same transaction in the same block with the same receipt. */
export const sameInclusion = (a: L2Inclusion | null, b: L2Inclusion): boolean =>
  a !== null &&
  a.transactionHash === b.transactionHash &&
  a.blockHash === b.blockHash &&
  a.logsSha256 === b.logsSha256 &&
  a.receiptStatus === b.receiptStatus;
