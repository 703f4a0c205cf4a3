import { finding, type CreateRequest, type Finding } from '@launch/contracts';
import { commitmentFindings, fundingFindings, intentFindings, permitWindowFindings } from '@launch/evm';
import type { CurrentContext } from '../capabilities/context.service.js';
import { imageFindings } from './request-image.js';

/** A new request must carry the context this deployment publishes, unchanged. */
export function contextFindings(request: CreateRequest, current: CurrentContext): Finding[] {
  const { contextHash } = request.contextCommitments;
  const own = commitmentFindings(request);
  const isCurrent = contextHash === current.commitments.contextHash && own.every(({ path }) => path !== '/contextCommitments/contextHash');
  if (isCurrent) return own;
  return [
    ...own,
    finding('CONTEXT_NOT_CURRENT', '/context', { expected: current.commitments.contextHash, actual: contextHash }),
  ];
}

/** A window is good only by every clock it is judged by; a finding is told once. */
export function windowFindings(window: CreateRequest['permitWindow'], clocks: readonly number[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  for (const seconds of clocks) {
    for (const one of permitWindowFindings(window, seconds)) {
      const place = `${one.path} ${one.expected?.split(' ').slice(0, 2).join(' ')}`;
      if (!byPlace.has(place)) byPlace.set(place, one);
    }
  }
  return [...byPlace.values()];
}

/** Everything judged before a reservation that needs nothing but the request and the clocks. */
export function meaningFindings(request: CreateRequest, current: CurrentContext, clocks: readonly number[]): Finding[] {
  return [
    ...contextFindings(request, current),
    ...intentFindings(request),
    ...imageFindings(request),
    ...windowFindings(request.permitWindow, clocks),
    ...fundingFindings(request),
  ];
}
