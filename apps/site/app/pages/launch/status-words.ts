import type { Tone } from '../../ui/status.js';
import type { LaunchFacts } from './launch-facts.js';

/** A status in one or two plain words. The service's own name is its title. */
export function statusWords({ end, waitsFor, next, status }: LaunchFacts): {
  readonly name: string;
  readonly tone: Tone;
} {
  if (end === 'finalized') return { name: 'Final', tone: 'good' };
  if (end === 'stopped') {
    if (status === 'superseded') return { name: 'Replaced', tone: 'neutral' };
    if (status === 'expired') return { name: 'Expired', tone: 'bad' };
    return next === 'judged' ? { name: 'Needs correction', tone: 'bad' } : { name: 'Failed', tone: 'bad' };
  }
  if (waitsFor === 'wallet') return { name: 'Waits for your wallet', tone: 'caution' };
  if (waitsFor === 'service') return { name: next === 'sent' ? 'Authorized' : 'Being checked', tone: 'accent' };
  return { name: next === 'sent' || next === 'included' ? 'On its way' : 'On chain, not final', tone: 'accent' };
}
