import { finding, type ErrorCode, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { Economics } from './economics.types.js';
import type { ContractTemplate, TemplateSet } from './template-set.types.js';

/** The result of a recipe for a request whose code it recognises. */
export type RecipeOutcome =
  | { readonly ok: true; readonly economics: Economics }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** A recipe: its reviewed templates, the requests that it claims, and the rules that it applies to them. */
export interface EconomicRecipe {
  readonly set: TemplateSet;
  /** Reports whether the declared code belongs to this recipe, so that any other difference is a binding to correct. */
  readonly claims: (request: JudgedRequest, set: TemplateSet) => boolean;
  readonly recognise: (request: JudgedRequest, set: TemplateSet) => RecipeOutcome;
}

/** Collects findings of one code while a recipe compares a request with the values that its code carries. */
export class BindingFindings {
  readonly list: Finding[] = [];

  constructor(private readonly code: ErrorCode) {}

  /** Refuses unless both texts are equal. */
  expect(path: string, expected: string, actual: string): void {
    if (expected !== actual) this.list.push(finding(this.code, path, { expected, actual }));
  }

  /** Refuses with the expected value. For a place without an actual value, only the first refusal is kept. */
  refuse(path: string, expected: string, actual?: string): void {
    if (actual === undefined && this.list.some((found) => found.path === path && found.actual === null)) return;
    this.list.push(finding(this.code, path, { expected, ...(actual === undefined ? {} : { actual }) }));
  }
}

/** Returns the set's contracts of one role, in graph order. */
export const templatesOf = (set: TemplateSet, role: 'component' | 'child'): ContractTemplate[] =>
  set.contracts.filter((entry) => entry.role === role);

/**
 * Returns the set's first contract of a role. @throws {TypeError} if there is none, which means that the set itself is
 * wrong.
 */
export function templateOf(set: TemplateSet, role: 'component' | 'child'): ContractTemplate {
  const [template] = templatesOf(set, role);
  if (template === undefined) throw new TypeError(`template set ${set.recipe.id} has no ${role}`);
  return template;
}
