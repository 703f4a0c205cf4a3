import { finding, type CreateRequest, type Finding } from '@launch/contracts';
import { permitWindowFindings } from '@launch/evm';
import type { CurrentContext } from '../context/context.service.js';
import type { RequestForm } from './request-form.js';

/** A new request must carry the context this deployment publishes, unchanged. */
export function contextFindings(form: RequestForm, current: CurrentContext): Finding[] {
  const { contextHash } = form.commitments;
  if (form.contextHashHolds && contextHash === current.commitments.contextHash) return [];
  return [
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
