import type { AbiParameter } from 'viem';
import { decodeAbiParameters, encodeAbiParameters } from 'viem/utils';
import { lowerHex, type Hex } from '../encoding/hex.js';

/** A decoded value: addresses in lowercase, texts as their bytes, integers exact. */
export type AbiValue = string | bigint | number | boolean | readonly AbiValue[] | { readonly [name: string]: AbiValue };

type Parameters = readonly AbiParameter[];
const componentsOf = (parameter: AbiParameter): Parameters | undefined =>
  'components' in parameter ? parameter.components : undefined;

/**
 * Returns the same parameters with `bytes` for `string`, which has the same encoding. A contract may emit text that is
 * not UTF-8: decoding must neither fail nor return other bytes.
 */
export const bytesForText = (parameters: Parameters): Parameters =>
  parameters.map((parameter) => {
    const components = componentsOf(parameter);
    return {
      ...parameter,
      type: parameter.type.replace(/^string/, 'bytes'),
      ...(components === undefined ? {} : { components: bytesForText(components) }),
    } as AbiParameter;
  });

/** Decodes values from exactly these bytes. Returns null for bytes that no encoder produces. */
export function decodeCanonical(parameters: Parameters, data: Hex): readonly AbiValue[] | null {
  const plain = bytesForText(parameters);
  let values: readonly unknown[];
  try {
    values = decodeAbiParameters(plain, data) as readonly unknown[];
    if (encodeAbiParameters(plain, values as never) !== lowerHex(data)) return null;
  } catch {
    // viem throws a dozen errors for bytes that are not an encoding. Callers need only one result for all of them.
    return null;
  }
  return plain.map((parameter, index) => lowered(parameter, values[index]));
}

/** Lowercases the checksummed addresses of viem, as everywhere in this library. */
function lowered(parameter: AbiParameter, value: unknown): AbiValue {
  const { type } = parameter;
  if (type.endsWith(']')) {
    const element = { ...parameter, type: type.slice(0, type.lastIndexOf('[')) } as AbiParameter;
    return (value as readonly unknown[]).map((one) => lowered(element, one));
  }
  const components = componentsOf(parameter);
  if (components !== undefined) {
    if (Array.isArray(value)) return value.map((one, index) => lowered(components[index]!, one));
    const members = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(components.map((one) => [one.name!, lowered(one, members[one.name!])]));
  }
  return type === 'address' ? lowerHex(value as Hex) : (value as AbiValue);
}
