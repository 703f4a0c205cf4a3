import type { L2Inclusion } from '@launch/contracts/launch';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { wire, type ObserverNote } from '../agreement/agreement.js';
import { NOT_CANONICAL, receiptInBlock } from './receipt-in-block.js';
import type { BlockHeader, ChainReceipt } from '../rpc/rpc-answers.schema.js';
import { ABSENT, unknown, type Candidate, type Look, type StageVerdict } from './ports.types.js';
import { namesTarget, runtimeFault, stampFault } from './target-proof.js';

/** What a receipt has to be besides one that both observers show in their chain. */
export interface ReceiptCheck {
  /** Whether it is what is looked for at all: another one counts as none. */
  readonly isWanted: (receipt: ChainReceipt) => boolean;
  /** Whether a block of this time can hold it, Unix seconds. */
  readonly isInTime: (timestamp: bigint) => boolean;
  /** What is wrong with a wanted one; null for nothing. */
  readonly faultOf: (receipt: ChainReceipt, header: BlockHeader) => string | null | Promise<string | null>;
}

/**
 * Included: both L2 observers show the exact transaction, the same receipt and the same header hash at its block. The
 * block's time lies in the permit window, both ends inside. A successful receipt holds exactly the stamp the signed
 * launch must leave. A reverted receipt is an inclusion too, with `receiptStatus: reverted`.
 * A plan's deploy step leaves no stamp: its component has the declared code at that block.
 */
export const judgeInclusion = (look: Look, candidate: Candidate): Promise<StageVerdict<L2Inclusion>> =>
  judgeReceipt(look, candidate, launchCheck(look));

/** Whether a transaction that was sighted is in the chain, and is what a check says. */
export async function judgeReceipt(
  look: Pick<Look, 'l2' | 'now' | 'target'>,
  { sightings, hash }: Candidate,
  { isWanted, isInTime, faultOf }: ReceiptCheck,
): Promise<StageVerdict<L2Inclusion>> {
  const ended = (receipt: ChainReceipt) => {
    if (!isWanted(receipt)) return ABSENT;
    const isExact = sightings.every((sighting) => sighting === 'exact');
    return isExact ? null : unknown('transaction: not both observers show the exact one');
  };
  const seen = await receiptInBlock(look, hash, ended);
  if (seen.kind === 'indeterminate') return unknown(seen.reason);
  if (seen.kind !== 'found') return seen;
  const { receipt, header, observers } = seen;
  // Sent too early or too late, the router refuses it: the permit is as unused as before.
  if (receipt.status === 'reverted' && !isInTime(header.timestamp)) return ABSENT;
  if (!seen.isCanonical) return unknown(NOT_CANONICAL);
  if (!isInTime(header.timestamp)) return unknown('inclusion: outside the permit window');
  const fault = await faultOf(receipt, header);
  return fault === null ? { kind: 'holds', value: inclusionOf(receipt, observers) } : unknown(fault);
}

/** The receipt of the launch or step that is looked for. */
function launchCheck(look: Look): ReceiptCheck {
  const { target } = look;
  const { transaction, window } = target;
  return {
    // A wallet's own transaction is told by its stamp alone: one without it, whatever became of it, is another.
    isWanted: ({ status, logs }) => transaction !== null || (status === 'success' && namesTarget(target, logs)),
    isInTime: (timestamp) => timestamp >= window.validAfter && timestamp <= window.deadline,
    faultOf: (receipt, header) => {
      if (transaction !== null && (receipt.from !== transaction.from || receipt.to !== transaction.to))
        return 'receipt: of another transaction';
      if (receipt.status !== 'success') return null;
      return stampFault(look, receipt.logs) ?? (target.provenBy === 'code' ? runtimeFault(look, header.hash) : null);
    },
  };
}

/** The wire form of an agreed receipt. */
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

/** Whether two inclusions are one: the same transaction in the same block with the same receipt. */
export const sameInclusion = (a: L2Inclusion | null, b: L2Inclusion): boolean =>
  a !== null &&
  a.transactionHash === b.transactionHash &&
  a.blockHash === b.blockHash &&
  a.logsSha256 === b.logsSha256 &&
  a.receiptStatus === b.receiptStatus;
