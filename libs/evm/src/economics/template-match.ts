import { canonicalJsonText, parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import type { JudgedRequest } from '@launch/contracts/launch';
import { decodeBase64 } from '@launch/contracts/primitives';
import { hexToBytes, keccak256, type Hex } from 'viem';
import { maskedRuntimeHash } from './runtime-template.js';
import type { ContractTemplate, TemplateSet } from './template-set.types.js';

/** A place where a component differs from a template. */
export interface TemplateDeviation {
  readonly path: string;
  readonly expected: string;
}

const SETTINGS_NOT_COMPARED = new Set(['outputSelection', 'remappings']);

/** Returns the compiler settings that decide the bytecode in canonical form, or null if the input cannot be parsed. */
function comparableSettings(standardJsonInput: Uint8Array): string | null {
  let input: unknown;
  try {
    input = parseStrictJson(standardJsonInput);
  } catch (error) {
    if (error instanceof StrictJsonError) return null;
    throw error;
  }
  const settings = (input as { settings?: unknown } | null)?.settings;
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return null;
  return canonicalJsonText(
    Object.fromEntries(Object.entries(settings).filter(([key]) => !SETTINGS_NOT_COMPARED.has(key))),
  );
}

/** Reports whether a component's declared creation code, without arguments, is the template's. */
export const hasCreationCode = (component: { readonly creationBytecode: Hex }, template: ContractTemplate): boolean =>
  keccak256(component.creationBytecode) === template.creationCodeHash;

/**
 * Lists the differences between the component at `index` and a template: creation code, role and masked runtime. The
 * compilation unit must also name the template's compiler and settings. Empty if the component matches.
 */
export function templateDeviations(
  request: JudgedRequest,
  index: number,
  set: TemplateSet,
  template: ContractTemplate,
): TemplateDeviation[] {
  const at = `/graphBundle/components/${index}`;
  const component = request.graphBundle.components[index];
  if (component === undefined)
    return [{ path: '/graphBundle/components', expected: `${template.contract} at ${index}` }];
  const deviations: TemplateDeviation[] = [];
  const demand = (ok: boolean, path: string, expected: string): void => {
    if (!ok) deviations.push({ path, expected });
  };
  demand(
    hasCreationCode(component, template),
    `${at}/creationBytecode`,
    `the reviewed creation code of ${template.contract}`,
  );
  demand(component.roleMask === template.roleMask, `${at}/roleMask`, String(template.roleMask));
  const runtimeHash = maskedRuntimeHash(template, hexToBytes(component.expectedRuntimeCode));
  demand(
    runtimeHash === template.runtimeMaskedHash,
    `${at}/expectedRuntimeCode`,
    `the reviewed runtime of ${template.contract}`,
  );
  return [...deviations, ...compilationDeviations(request, component.componentId, set)];
}

function compilationDeviations(
  { compilerVerification }: JudgedRequest,
  componentId: string,
  set: TemplateSet,
): TemplateDeviation[] {
  const { components, compilationUnits } = compilerVerification;
  const compilation = components.find((entry) => entry.componentId === componentId);
  const unitIndex = compilationUnits.findIndex(
    (entry) => entry.compilationUnitId === compilation?.target.compilationUnitId,
  );
  const unit = compilationUnits[unitIndex];
  if (unit === undefined)
    return [{ path: '/compilerVerification/components', expected: `a compilation of ${componentId}` }];
  const at = `/compilerVerification/compilationUnits/${unitIndex}`;
  const deviations: TemplateDeviation[] = [];
  if (unit.compilerVersion !== set.compilerVersion)
    deviations.push({ path: `${at}/compilerVersion`, expected: set.compilerVersion });
  const settings = canonicalJsonText(set.settings);
  if (comparableSettings(decodeBase64(unit.standardJsonInputBase64)) !== settings) {
    deviations.push({ path: `${at}/standardJsonInputBase64`, expected: `the settings ${settings}` });
  }
  return deviations;
}
