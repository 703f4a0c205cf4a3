import {
  BUILD_PROFILE_CAPACITY,
  NUMBER_TYPES,
  type BuildFindingCode,
  type ConfigurationField,
} from '@launch/contracts/modules';
import { encodeAbiParameters, type AbiParameter, type Hex } from 'viem';

/** Returns the ABI type of a configuration type whose name differs. */
const abiTypeOf = (type: string): string => (type === 'enum' ? 'uint8' : (NUMBER_TYPES.get(type) ?? type));

/** Returns the ABI parameter of a field. */
export function parameterOf(field: ConfigurationField): AbiParameter {
  if (field.type === 'array') {
    const inner = parameterOf(field.items!);
    return { ...inner, name: field.key, type: `${inner.type}[]` };
  }
  if (field.type === 'tuple') {
    return { name: field.key, type: 'tuple', components: (field.fields ?? []).map(parameterOf) } as AbiParameter;
  }
  return { name: field.key, type: abiTypeOf(field.type) };
}

/** Returns the values of an array; empty for a field without a default. */
const itemsOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

/** Returns the fields of a tuple with their values. A field without a value has its own default. */
function membersOf(field: ConfigurationField, given: unknown): (readonly [ConfigurationField, unknown])[] {
  // A Map, because a key may be a name that every object inherits, such as `constructor`.
  const members = new Map<string, unknown>(typeof given === 'object' && given !== null ? Object.entries(given) : []);
  return (field.fields ?? []).map((inner) => [inner, members.get(inner.key) ?? inner.default] as const);
}

const WORD = 32;
const wordsOf = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

const isDynamic = ({ type, fields }: ConfigurationField): boolean =>
  ['array', 'bytes', 'string'].includes(type) || (type === 'tuple' && (fields ?? []).some(isDynamic));

/**
 * Returns the length in bytes of the ABI encoding of a configuration's defaults. Counts instead of encoding, because a
 * small descriptor can declare gigabytes; stops once the count exceeds `enough`.
 */
export function encodedDefaultsBytes(fields: readonly ConfigurationField[], enough: number): number {
  let bytes = 0;
  const count = (field: ConfigurationField, given: unknown): void => {
    if (bytes > enough) return;
    if (isDynamic(field)) bytes += WORD; // its offset
    if (field.type === 'tuple') {
      for (const [inner, value] of membersOf(field, given)) count(inner, value);
      return;
    }
    bytes += WORD; // the value, or its length
    if (field.type === 'array') for (const one of itemsOf(given)) count(field.items!, one);
    else if (typeof given !== 'string') return;
    else if (field.type === 'string') bytes += wordsOf(new TextEncoder().encode(given).length);
    else if (field.type === 'bytes') bytes += wordsOf((given.length - 2) / 2);
  };
  for (const field of fields) count(field, field.default);
  return bytes;
}

/** Converts a default for viem: numbers are decimal strings on the wire, an option is its position in the list. */
function valueOf(field: ConfigurationField, given: unknown): unknown {
  const { type } = field;
  if (type === 'array') return itemsOf(given).map((one) => valueOf(field.items!, one));
  if (type === 'tuple') {
    return Object.fromEntries(membersOf(field, given).map(([inner, value]) => [inner.key, valueOf(inner, value)]));
  }
  if (type === 'enum') {
    const place = (field.options ?? []).findIndex(({ value }) => value === given);
    return Math.max(place, 0);
  }
  const abiType = abiTypeOf(type);
  if (/^u?int/.test(abiType)) return typeof given === 'string' ? BigInt(given) : 0n;
  if (given !== undefined && given !== null) return given;
  if (abiType === 'bool') return false;
  if (abiType === 'address') return `0x${'0'.repeat(40)}`;
  if (abiType === 'bytes32') return `0x${'0'.repeat(64)}`;
  return abiType === 'string' ? '' : '0x';
}

/** ABI-encodes the defaults. @throws the errors of viem and BigInt for a value that does not fit its type. */
export const encodedDefaults = (fields: readonly ConfigurationField[]): Hex =>
  encodeAbiParameters(
    fields.map(parameterOf),
    fields.map((field) => valueOf(field, field.default)),
  );

/** A fault in the encoding of a configuration's defaults. */
export interface ConfigurationFinding {
  readonly code: BuildFindingCode;
  readonly detail: string;
}

/**
 * Compares the encoding of a configuration's defaults with the size that the descriptor declares. A field without a
 * default counts as its type's zero.
 */
export function configurationFindings(configuration: {
  readonly maxEncodedBytes: number;
  readonly fields: readonly ConfigurationField[];
}): ConfigurationFinding[] {
  const { fields, maxEncodedBytes } = configuration;
  if (fields.length === 0) return [];
  const bytes = encodedDefaultsBytes(fields, BUILD_PROFILE_CAPACITY.encodedConfigurationBytes);
  if (bytes > maxEncodedBytes) {
    const detail = `the defaults take ${bytes} bytes, at most ${maxEncodedBytes} are declared`;
    return [{ code: 'CONFIGURATION_ENCODING_TOO_LARGE', detail }];
  }
  try {
    encodedDefaults(fields);
    return [];
  } catch (error) {
    // Errors of viem and BigInt for an invalid value repeat the value; this finding does not.
    return [{ code: 'CONFIGURATION_UNENCODABLE', detail: `the defaults do not encode: ${(error as Error).name}` }];
  }
}
