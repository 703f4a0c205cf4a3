import type { Hex } from 'viem';
import { agreedReceipt } from './agreed-receipt.js';
import { lookUp } from './candidates.js';
import type { Poll } from './ports.types.js';

/** The status of a transaction that a client named for a launch or step, as both observers report it. */
export type NamedTransactionStatus = 'seen' | 'not_found' | 'not_this_step' | 'included' | 'reverted';

/**
 * Judges a named transaction for the client that named it; the result proves nothing and changes no stage. Returns null
 * while there is no statement. Any transaction may belong to an atomic plan until its receipt shows whether it has the
 * stamp.
 */
export async function judgeNamed(poll: Poll, hash: Hex): Promise<NamedTransactionStatus | null> {
  const candidate = await lookUp(poll, hash);
  const { sightings } = candidate;
  if (!sightings.includes('exact')) {
    if (sightings.includes('no-answer')) return null;
    return sightings.includes('foreign') ? 'not_this_step' : 'not_found';
  }
  const verdict = await poll.rule.inclusion(poll, candidate);
  if (verdict.kind === 'unknown') return null;
  if (verdict.kind === 'holds') return verdict.value.receiptStatus === 'success' ? 'included' : 'reverted';
  const receipt = await agreedReceipt(poll, hash);
  if (receipt.kind === 'indeterminate') return null;
  if (receipt.value === null) return 'seen';
  return receipt.value.status === 'reverted' ? 'reverted' : 'not_this_step';
}
