import { decodeUtf8 } from '@launch/contracts/json';
import { decodeAbiParameters, encodeAbiParameters, type AbiParameter, type Hex } from 'viem';
import { isCanonicalEncoding } from '../encoding/canonical-abi.js';
import { bytesOfHex } from '../encoding/hex.js';
import { bytesForText } from '../events/abi-values.js';
import type { ContractTemplate } from './template-set.types.js';

const inputs = (template: ContractTemplate): AbiParameter[] => [...template.constructor] as AbiParameter[];

/** ABI-encodes a template's constructor arguments: one value per input, in order. */
export function encodeArguments(template: ContractTemplate, values: readonly unknown[]): Hex {
  return encodeAbiParameters(inputs(template), values as never);
}

/**
 * Decodes constructor arguments by the rule that the matcher applies. Returns null if they are not the one canonical
 * encoding of such arguments, or if a text is not UTF-8, which no request can name.
 */
export function decodeArguments(template: ContractTemplate, encoded: Hex): readonly unknown[] | null {
  const parameters = inputs(template);
  if (!isCanonicalEncoding(parameters, encoded)) return null;
  const values = decodeAbiParameters(bytesForText(parameters), encoded) as readonly unknown[];
  const decoded = values.map((value, index) =>
    parameters[index]!.type === 'string' ? decodeUtf8(bytesOfHex(value as Hex)) : value,
  );
  return decoded.includes(undefined) ? null : decoded;
}
