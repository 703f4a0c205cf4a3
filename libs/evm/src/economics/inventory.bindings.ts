import { ERROR_CATALOGUE, finding, type Finding, type Layer } from '@launch/contracts/errors';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { INVENTORY_RECIPE } from './inventory.recipe.js';
import { isPublished } from './published-recipe.js';

const CODE = 'MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION';
const BOUND_LAYERS: ReadonlySet<Layer> = new Set<Layer>(['source', 'graph', 'economics', 'funding']);
/** Codes that no evidence overrides; each is reported alone. */
const OVERRIDING = new Set<string>(['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED']);

/**
 * Translates the findings of an earlier check for a request whose contracts are those of the inventory model: a role,
 * source, runtime, economics or funding binding needs correction (docs/reference/economics.md#unrecognised-economics).
 * Each binding is named if the recipe can name it. Findings of other requests and of unrelated faults stay unchanged.
 */
export function withInventoryBindings(request: CreateRequest, findings: readonly Finding[]): readonly Finding[] {
  const { set, claims, recognise } = INVENTORY_RECIPE;
  const concerned =
    findings.some(({ code }) => BOUND_LAYERS.has(ERROR_CATALOGUE[code].layer)) &&
    !findings.some(({ code }) => OVERRIDING.has(code));
  if (!concerned || !isPublished(request, set) || !claims(request, set)) return findings;
  const outcome = recognise(request, set);
  const detail = 'The contracts are those of the inventory model; what the other findings name does not fit them.';
  return [...findings, ...(outcome.ok ? [finding(CODE, '/graphBundle/components', { detail })] : outcome.findings)];
}
