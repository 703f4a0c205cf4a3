import type { Hex } from 'viem';
import { agreedReceipt } from './agreed-receipt.js';
import { lookUp } from './candidates.js';
import type { Look } from './ports.types.js';

/** What both observers make of a transaction that somebody named for a launch or a step. */
export type NamedTransactionStatus = 'seen' | 'not_found' | 'not_this_step' | 'included' | 'reverted';

/**
 * What became of a named transaction, for the one who named it: it proves nothing and moves nothing. Null while there is no
 * statement. Any transaction may be an atomic plan's until its receipt says whether it has the stamp.
 */
export async function judgeNamed(look: Look, hash: Hex): Promise<NamedTransactionStatus | null> {
  const candidate = await lookUp(look, hash);
  const { sightings } = candidate;
  if (!sightings.includes('exact')) {
    if (sightings.includes('no-answer')) return null;
    return sightings.includes('foreign') ? 'not_this_step' : 'not_found';
  }
  const verdict = await look.rule.inclusion(look, candidate);
  if (verdict.kind === 'unknown') return null;
  if (verdict.kind === 'holds') return verdict.value.receiptStatus === 'success' ? 'included' : 'reverted';
  const receipt = await agreedReceipt(look, hash);
  if (receipt.kind === 'indeterminate') return null;
  if (receipt.value === null) return 'seen';
  return receipt.value.status === 'reverted' ? 'reverted' : 'not_this_step';
}
