import type { Evidence } from './evidence.js';

/**
 * The certainty of an answer. `proven`: the evidence shows it. `stated`: a rule of the service or a claim of a record says it, and
 * nothing on this page shows it for this coin. `unknown`: there is neither.
 */
export type Certainty = 'proven' | 'stated' | 'unknown';

/** The answer to one question of a buyer. */
export interface Answer {
  readonly id: 'fees' | 'locked' | 'changes' | 'source' | 'finality' | 'creator';
  readonly question: string;
  readonly answer: string;
  readonly certainty: Certainty;
  readonly evidence: readonly Evidence[];
}

type Reply = Pick<Answer, 'answer' | 'certainty' | 'evidence'>;

/** Returns a function that answers one question. */
export const answering =
  (id: Answer['id'], question: string) =>
  ({ answer, certainty, evidence }: Reply): Answer => ({ id, question, answer, certainty, evidence });
