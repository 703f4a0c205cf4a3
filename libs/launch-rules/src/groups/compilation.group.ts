import type { Finding } from '@launch/contracts/errors';
import type { RuleGroup } from '../judge.js';

/** The pinned compiler's output for the sources, compared with the declared code. */
export interface CompilationFact {
  readonly compilation: { readonly findings: readonly Finding[] };
}

/** Requires that the sources compile to the declared code. */
export const COMPILATION: RuleGroup<CompilationFact> = {
  name: 'compilation',
  find: ({ compilation }) => compilation.findings,
};
