import { finding, type ErrorCode, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { Economics } from './economics.types.js';
import type { ContractTemplate, TemplateSet } from './template-set.types.js';

/** What a recipe makes of a request whose code it knows. */
export type RecipeOutcome =
  | { readonly ok: true; readonly economics: Economics }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** One recipe: its reviewed templates, whose requests are its own, and what it holds them to. */
export interface EconomicRecipe {
  readonly set: TemplateSet;
  /** Whether the declared code is this recipe's, so that whatever else is wrong is a binding to correct. */
  readonly claims: (request: JudgedRequest, set: TemplateSet) => boolean;
  readonly recognise: (request: JudgedRequest, set: TemplateSet) => RecipeOutcome;
}

/** Findings of one code, collected while a request is held against what its code carries. */
export class BindingFindings {
  readonly list: Finding[] = [];

  constructor(private readonly code: ErrorCode) {}

  /** Refuses unless both texts are equal. */
  expect(path: string, expected: string, actual: string): void {
    if (expected !== actual) this.list.push(finding(this.code, path, { expected, actual }));
  }

  /** Refuses with what should stand there; the first refusal of a place with no actual value says it all. */
  refuse(path: string, expected: string, actual?: string): void {
    if (actual === undefined && this.list.some((found) => found.path === path && found.actual === null)) return;
    this.list.push(finding(this.code, path, { expected, ...(actual === undefined ? {} : { actual }) }));
  }
}

/** The set's contracts of one role, in graph order. */
export const templatesOf = (set: TemplateSet, role: 'component' | 'child'): ContractTemplate[] =>
  set.contracts.filter((entry) => entry.role === role);

/** The set's first contract of a role. @throws {TypeError} if it has none: the set itself is wrong. */
export function templateOf(set: TemplateSet, role: 'component' | 'child'): ContractTemplate {
  const [template] = templatesOf(set, role);
  if (template === undefined) throw new TypeError(`template set ${set.recipe.id} has no ${role}`);
  return template;
}
