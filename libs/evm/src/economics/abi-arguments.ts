import { decodeAbiParameters, encodeAbiParameters, type AbiParameter, type Hex } from 'viem';
import type { ContractTemplate } from './template-set.types.js';

const inputs = (template: ContractTemplate): AbiParameter[] => [...template.constructor] as AbiParameter[];

/** ABI-encodes a template's constructor arguments, one value an input, in order. */
export function encodeArguments(template: ContractTemplate, values: readonly unknown[]): Hex {
  return encodeAbiParameters(inputs(template), values as never);
}

/** Decodes constructor arguments; null when they are not the one canonical encoding of such arguments. */
export function decodeArguments(template: ContractTemplate, encoded: Hex): readonly unknown[] | null {
  let values: readonly unknown[];
  try {
    values = decodeAbiParameters(inputs(template), encoded) as readonly unknown[];
  } catch {
    return null;
  }
  return encodeArguments(template, values) === encoded.toLowerCase() ? values : null;
}
