import { finding, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import type { RuleGroup } from '../judge.js';
import { fundingFindings, intentFindings, permitWindowFindings } from './request-form.findings.js';

/** Intent and behavioural inputs hash to what is declared. `intentHash` is given where it is known from the request's bytes. */
export const INTENT: RuleGroup<{ readonly request: CreateRequest; readonly intentHash?: Hex }> = {
  name: 'intent',
  find: ({ request, intentHash }) => intentFindings(request, intentHash),
};

export const FUNDING: RuleGroup<{ readonly request: Pick<JudgedRequest, 'funding' | 'fundingPlan'> }> = {
  name: 'funding',
  find: ({ request }) => fundingFindings(request),
};

/** A permit window and the clocks it is judged by, unix seconds. */
export interface WindowFact {
  readonly request: Pick<JudgedRequest, 'permitWindow'>;
  readonly clocks: readonly number[];
}

/** A window is good only by every clock it is judged by; a finding is told once. */
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

/** The window has not passed; how much is left of it was judged when it came. */
export const PERMIT_EXPIRY: RuleGroup<WindowFact> = {
  name: 'permit-expiry',
  find: ({ request, clocks }) =>
    clocks.some((seconds) => BigInt(seconds) > BigInt(request.permitWindow.deadline))
      ? [finding('PERMIT_EXPIRED', '/permitWindow/deadline')]
      : [],
};
