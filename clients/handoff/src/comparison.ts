import type { HandoffCheck } from './handoff.types.js';

const FOREIGN = 'Do not sign. Read the launch again from the service, and report it if the values still differ.';

interface Compared {
  readonly id: string;
  readonly subject: string;
  readonly claimed: unknown;
  readonly computed: unknown;
  readonly remedy?: string;
  /** The form in which readers see both values. */
  readonly show?: (value: unknown) => string;
}

/** Compares a claimed value with the computed one by their exact texts. */
export function compared({ id, subject, claimed, computed, remedy = FOREIGN, show = String }: Compared): HandoffCheck {
  const verdict = String(computed) === String(claimed) ? 'agrees' : 'differs';
  return { id, subject, claimed: show(claimed), computed: show(computed), verdict, remedy };
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
