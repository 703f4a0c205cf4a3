import { finding, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import { canonicalKeccak } from '@launch/contracts/primitives';
import type { Hex } from 'viem';
import type { EconomicRecipe } from './economic-recipe.js';
import type { Economics } from './economics.types.js';
import { INVENTORY_RECIPE, NATIVE20_SEED_RECIPE } from './inventory.recipe.js';
import { NATIVE20_RECIPE } from './native20.recipe.js';
import { isPublished } from './published-recipe.js';
import type { TemplateSet } from './template-set.types.js';

export type EconomicsVerdict =
  | {
      readonly kind: 'recognised';
      readonly recipe: { readonly id: string; readonly version: string };
      readonly economics: Economics;
      /** keccak-256 of the canonical JSON of `economics`. */
      readonly economicsHash: Hex;
    }
  /** No reviewed template matches: missing coverage, not an unsafe verdict (docs/reference/economics.md#unrecognised-economics). */
  | { readonly kind: 'unrecognised'; readonly findings: readonly Finding[] }
  /** The code is recognised, but its values differ from those that the request declares, funds or pins. */
  | { readonly kind: 'bindings'; readonly findings: readonly Finding[] };

const MULTI_ROLE_RECIPES: readonly EconomicRecipe[] = [NATIVE20_RECIPE, INVENTORY_RECIPE];
/**
 * The recipes of both families. A context publishes only recipes of its own family, and only published recipes judge a
 * request.
 */
const RECIPES: readonly EconomicRecipe[] = [...MULTI_ROLE_RECIPES, NATIVE20_SEED_RECIPE];

/** Every reviewed recipe that a multi-role context of this build publishes. */
export const TEMPLATE_SETS: readonly TemplateSet[] = MULTI_ROLE_RECIPES.map(({ set }) => set);

/**
 * Recognises the economics of a request by reviewed templates alone. Judges the declared bytecode: the compiler step
 * checks it against the sources, and the materialization checks it against the deployment. Pure, so admission and
 * custody each compute it independently.
 */
export function recogniseEconomics(request: JudgedRequest): EconomicsVerdict {
  const known = RECIPES.find(({ set, claims }) => isPublished(request, set) && claims(request, set));
  if (known === undefined) {
    // Only the templates that the request's own context published judge it, never those of a later release.
    const isOfAnotherRelease = RECIPES.some(({ set, claims }) => claims(request, set));
    const detail = isOfAnotherRelease
      ? 'The templates of this recipe are not those that the request’s context publishes; submit a deliberate new request under the current context.'
      : 'The compiled code equals no reviewed recipe template for this compiler version and settings.';
    return {
      kind: 'unrecognised',
      findings: [finding('MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', '/graphBundle/components', { detail })],
    };
  }
  const outcome = known.recognise(request, known.set);
  if (!outcome.ok) return { kind: 'bindings', findings: outcome.findings };
  return {
    kind: 'recognised',
    recipe: known.set.recipe,
    economics: outcome.economics,
    economicsHash: canonicalKeccak(outcome.economics),
  };
}
