import {
  canonicalJsonText,
  parseStrictJson,
} from '@launch/contracts/json';
import { canonicalKeccak, finding, type CreateRequest, type Finding } from '@launch/contracts';
import { hexToBytes, keccak256, type Hex } from 'viem';
import type { Economics } from './economics.types.js';
import { recogniseNative20 } from './native20.recipe.js';
import { NATIVE20_TEMPLATE_SET } from './native20.template-set.js';
import { maskedRuntimeHash } from './runtime-template.js';
import type { ContractTemplate, TemplateSet } from './template-set.types.js';

export type EconomicsVerdict =
  | {
      readonly kind: 'recognised';
      readonly recipe: { readonly id: string; readonly version: string };
      readonly economics: Economics;
      /** keccak-256 of the canonical JSON of `economics`. */
      readonly economicsHash: Hex;
    }
  /** No reviewed template matches: missing coverage, not an unsafe verdict (spec 2, What the service does). */
  | { readonly kind: 'unrecognised'; readonly findings: readonly Finding[] }
  /** The code is known, but what it carries differs from what is declared, funded or pinned. */
  | { readonly kind: 'bindings'; readonly findings: readonly Finding[] };

/** Every reviewed recipe this build of the server recognises. */
export const TEMPLATE_SETS: readonly TemplateSet[] = [NATIVE20_TEMPLATE_SET];

/** keccak-256 of a template set's canonical JSON: what a context publishes as `templateSetHash`. */
export const templateSetHash = (set: TemplateSet): string => canonicalKeccak(set);

const SETTINGS_NOT_COMPARED = new Set(['outputSelection', 'remappings']);

/** Compiler settings that decide the bytecode, in canonical form; null when the input cannot be read. */
function comparableSettings(standardJsonInput: Uint8Array): string | null {
  let input: unknown;
  try {
    input = parseStrictJson(standardJsonInput);
  } catch {
    return null;
  }
  const settings = (input as { settings?: unknown } | null)?.settings;
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return null;
  return canonicalJsonText(Object.fromEntries(Object.entries(settings).filter(([key]) => !SETTINGS_NOT_COMPARED.has(key))));
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Whether a component's declared code is a template's, compiled by the template's compiler with its settings. */
function matchesTemplate(request: CreateRequest, index: number, set: TemplateSet, template: ContractTemplate): boolean {
  const component = request.graphBundle.components[index];
  const compilation = request.compilerVerification.components.find((entry) => entry.componentId === component?.componentId);
  const unit = request.compilerVerification.compilationUnits.find(
    (entry) => entry.compilationUnitId === compilation?.target.compilationUnitId,
  );
  if (component === undefined || unit === undefined || component.roleMask !== template.roleMask) return false;
  if (unit.compilerVersion !== set.compilerVersion) return false;
  if (keccak256(component.creationBytecode as Hex) !== template.creationCodeHash) return false;
  if (maskedRuntimeHash(template, hexToBytes(component.expectedRuntimeCode as Hex)) !== template.runtimeMaskedHash) return false;
  return comparableSettings(fromBase64(unit.standardJsonInputBase64)) === canonicalJsonText(set.settings);
}

/**
 * Recognises the economics of a request by reviewed templates alone. The declared
 * bytecode is judged: that it is what the sources compile to is the compiler step's
 * finding, that it is what deploys the materialization's. Pure, so admission and
 * custody each compute it for themselves.
 */
export function recogniseEconomics(request: CreateRequest, sets: readonly TemplateSet[] = TEMPLATE_SETS): EconomicsVerdict {
  for (const set of sets) {
    const published = request.context.profile.recipes.some(
      (recipe) => recipe.id === set.recipe.id && recipe.version === set.recipe.version && recipe.templateSetHash === templateSetHash(set),
    );
    const components = set.contracts.filter((template) => template.role === 'component');
    const matches =
      published &&
      components.length === request.graphBundle.components.length &&
      components.every((template, index) => matchesTemplate(request, index, set, template));
    if (!matches) continue;
    const outcome = recogniseNative20(request, set);
    if (!outcome.ok) return { kind: 'bindings', findings: outcome.findings };
    return { kind: 'recognised', recipe: set.recipe, economics: outcome.economics, economicsHash: canonicalKeccak(outcome.economics) as Hex };
  }
  return {
    kind: 'unrecognised',
    findings: [
      finding('MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', '/graphBundle/components', {
        detail: 'The compiled code equals no reviewed recipe template for this compiler version and settings.',
      }),
    ],
  };
}
