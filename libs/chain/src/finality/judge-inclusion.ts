import { canonicalSha256, type L2Inclusion } from '@launch/contracts';
import { agree, wire, type ObserverNote } from '../agreement/agreement.js';
import { agreedHeader } from '../agreement/common-head.js';
import type { ChainReceipt } from '../rpc/rpc-answers.schema.js';
import { ABSENT, unknown, type Candidate, type Look, type StageVerdict } from './ports.types.js';
import { namesTarget, runtimeFault, stampFault } from './target-proof.js';

/**
 * Included: both L2 observers show the exact transaction, the same receipt and the same header hash at its block. The
 * block's time lies in the permit window, both ends inside. A successful receipt holds exactly the stamp the signed
 * launch must leave. A reverted receipt is an inclusion too, with `receiptStatus: reverted`.
 * A plan's deploy step leaves no stamp: its component has the declared code at that block.
 */
export async function judgeInclusion(look: Look, candidate: Candidate): Promise<StageVerdict<L2Inclusion>> {
  const { sightings, hash } = candidate;
  const receipt = await agree(look.l2, 'receipt', (observer) => observer.receipt(hash), undefined, look.now);
  if (receipt.kind === 'indeterminate') return unknown(receipt.reason);
  if (receipt.value === null) return ABSENT;
  // A wallet's own transaction is told by its stamp alone: one without it, whatever became of it, is another.
  if (look.target.transaction === null && !isStamped(look, receipt.value)) return ABSENT;
  if (!sightings.every((sighting) => sighting === 'exact'))
    return unknown('transaction: not both observers show the exact one');

  const header = await agreedHeader(
    look.l2,
    receipt.value.blockNumber,
    (observer, at) => observer.header(at),
    look.now,
  );
  if (header.kind === 'indeterminate') return unknown(header.reason);
  // Sent too early or too late, the router refuses it: the permit is as unused as before.
  if (receipt.value.status === 'reverted' && !insideWindow(look, header.value.timestamp)) return ABSENT;
  const fault =
    inclusionFault(look, receipt.value, header.value) ??
    (look.target.provenBy === 'code' && receipt.value.status === 'success'
      ? await runtimeFault(look, header.value.hash)
      : null);
  return fault === null ? { kind: 'holds', value: inclusionOf(receipt.value, receipt.observers) } : unknown(fault);
}

function inclusionFault(
  look: Look,
  receipt: ChainReceipt,
  header: { readonly hash: string; readonly timestamp: bigint },
): string | null {
  const { transaction } = look.target;
  if (transaction !== null && (receipt.from !== transaction.from || receipt.to !== transaction.to))
    return 'receipt: of another transaction';
  if (receipt.blockHash !== header.hash) return 'receipt: its block is not the canonical one';
  if (!insideWindow(look, header.timestamp)) return 'inclusion: outside the permit window';
  return receipt.status === 'success' ? stampFault(look, receipt.logs) : null;
}

const isStamped = ({ target }: Look, { status, logs }: ChainReceipt): boolean =>
  status === 'success' && namesTarget(target, logs);

const insideWindow = ({ target }: Look, timestamp: bigint): boolean =>
  timestamp >= target.window.validAfter && timestamp <= target.window.deadline;

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
