import type { Finding } from '@launch/contracts/errors';
import type { RuleGroup } from '../judge.js';

/** What the pinned compiler made of the sources beside what is declared. */
export interface CompilationFact {
  readonly compilation: { readonly findings: readonly Finding[] };
}

/** The sources compile to the declared code. */
export const COMPILATION: RuleGroup<CompilationFact> = {
  name: 'compilation',
  find: ({ compilation }) => compilation.findings,
};
