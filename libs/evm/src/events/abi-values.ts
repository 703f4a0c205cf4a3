import type { AbiParameter } from 'viem';
import { decodeAbiParameters, encodeAbiParameters } from 'viem/utils';
import { lowerHex, type Hex } from '../encoding/hex.js';

/** A decoded value: addresses lowercase, texts as the bytes that they are, integers exact. */
export type AbiValue = string | bigint | number | boolean | readonly AbiValue[] | { readonly [name: string]: AbiValue };

type Parameters = readonly AbiParameter[];
const componentsOf = (parameter: AbiParameter): Parameters | undefined =>
  'components' in parameter ? parameter.components : undefined;

/**
 * The same parameters with `bytes` for `string`, which are encoded alike. A contract may emit text that is no UTF-8: it
 * must neither fail a decoding nor come back as other bytes.
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

/** Values of exactly these bytes; null for bytes that no encoder writes for them. */
export function decodeCanonical(parameters: Parameters, data: Hex): readonly AbiValue[] | null {
  const plain = bytesForText(parameters);
  let values: readonly unknown[];
  try {
    values = decodeAbiParameters(plain, data) as readonly unknown[];
    if (encodeAbiParameters(plain, values as never) !== lowerHex(data)) return null;
  } catch {
    // viem names a dozen ways in which bytes are no encoding: to a reader they are one.
    return null;
  }
  return plain.map((parameter, index) => lowered(parameter, values[index]));
}

/** Addresses come with a checksum in their case; everything of this library is lowercase. */
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
