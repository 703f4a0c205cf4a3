import type { HandoffCheck } from './handoff.types.js';

const FOREIGN = 'Do not sign. Read the launch again from the service, and report it if the values still differ.';

interface Compared {
  readonly id: string;
  readonly subject: string;
  readonly claimed: unknown;
  readonly computed: unknown;
  readonly remedy?: string;
}

/** Compares a claimed value with the computed one, as texts. */
export function compared({ id, subject, claimed, computed, remedy = FOREIGN }: Compared): HandoffCheck {
  const [ours, theirs] = [String(computed), String(claimed)];
  return { id, subject, claimed: theirs, computed: ours, verdict: ours === theirs ? 'agrees' : 'differs', remedy };
}

/** A value that nothing here can recompute. */
export const unknown = (id: string, subject: string, claimed: unknown, remedy = FOREIGN): HandoffCheck => ({
  id,
  subject,
  claimed: String(claimed),
  computed: 'unknown',
  verdict: 'unknown',
  remedy,
});
