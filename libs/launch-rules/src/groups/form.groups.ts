import { finding, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import type { RuleGroup } from '../judge.js';
import { fundingFindings, intentFindings, permitWindowFindings } from './request-form.findings.js';

/**
 * Requires that intent and behavioural inputs have their declared hashes. `intentHash` is given if the request's bytes
 * yielded it.
 */
export const INTENT: RuleGroup<{ readonly request: CreateRequest; readonly intentHash?: Hex }> = {
  name: 'intent',
  find: ({ request, intentHash }) => intentFindings(request, intentHash),
};

export const FUNDING: RuleGroup<{ readonly request: Pick<JudgedRequest, 'funding' | 'fundingPlan'> }> = {
  name: 'funding',
  find: ({ request }) => fundingFindings(request),
};

/** A permit window and the clocks that judge it, in unix seconds. */
export interface WindowFact {
  readonly request: Pick<JudgedRequest, 'permitWindow'>;
  readonly clocks: readonly number[];
}

/** Requires a window that is valid by every clock; a finding is reported once. */
export const PERMIT_WINDOW: RuleGroup<WindowFact> = {
  name: 'permit-window',
  find({ request, clocks }) {
    const byPlace = new Map<string, Finding>();
    for (const seconds of clocks) {
      for (const one of permitWindowFindings(request.permitWindow, seconds)) {
        const place = `${one.path} ${one.expected?.split(' ').slice(0, 2).join(' ')}`;
        if (!byPlace.has(place)) byPlace.set(place, one);
      }
    }
    return [...byPlace.values()];
  },
};

/** Requires a window that has not passed; the remaining time was judged on arrival. */
export const PERMIT_EXPIRY: RuleGroup<WindowFact> = {
  name: 'permit-expiry',
  find: ({ request, clocks }) =>
    clocks.some((seconds) => BigInt(seconds) > BigInt(request.permitWindow.deadline))
      ? [finding('PERMIT_EXPIRED', '/permitWindow/deadline')]
      : [],
};
