import { NUMBER_TYPES, type BuildFindingCode, type ConfigurationField } from '@launch/contracts';
import { encodeAbiParameters, type AbiParameter } from 'viem';

/** The one ABI type of each type that is not its own. */
const abiTypeOf = (type: string): string => (type === 'enum' ? 'uint8' : (NUMBER_TYPES.get(type) ?? type));

function parameterOf(field: ConfigurationField): AbiParameter {
  if (field.type === 'array') {
    const inner = parameterOf(field.items!);
    return { ...inner, name: field.key, type: `${inner.type}[]` };
  }
  if (field.type === 'tuple') {
    return { name: field.key, type: 'tuple', components: (field.fields ?? []).map(parameterOf) } as AbiParameter;
  }
  return { name: field.key, type: abiTypeOf(field.type) };
}

/** A default as viem takes it: numbers are decimal strings on the wire, an option is its place in the list. */
function valueOf(field: ConfigurationField, given: unknown): unknown {
  const { type } = field;
  if (type === 'array') return (Array.isArray(given) ? given : []).map((one) => valueOf(field.items!, one));
  if (type === 'tuple') {
    const members = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      (field.fields ?? []).map((inner) => [inner.key, valueOf(inner, members[inner.key] ?? inner.default)]),
    );
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

/** What is wrong with the encoding of a configuration's defaults. */
export interface ConfigurationFinding {
  readonly code: BuildFindingCode;
  readonly detail: string;
}

/**
 * Encodes the defaults of a configuration, a field without one as its type's zero, and holds the result to the size that
 * the descriptor declares.
 */
export function configurationFindings(configuration: {
  readonly maxEncodedBytes: number;
  readonly fields: readonly ConfigurationField[];
}): ConfigurationFinding[] {
  const { fields, maxEncodedBytes } = configuration;
  if (fields.length === 0) return [];
  let bytes: number;
  try {
    const encoded = encodeAbiParameters(
      fields.map(parameterOf),
      fields.map((field) => valueOf(field, field.default)),
    );
    bytes = (encoded.length - 2) / 2;
  } catch (error) {
    // Viem and BigInt refuse what is no value of its type; their words repeat the value, ours do not.
    return [{ code: 'CONFIGURATION_UNENCODABLE', detail: `the defaults do not encode: ${(error as Error).name}` }];
  }
  if (bytes <= maxEncodedBytes) return [];
  const detail = `the defaults take ${bytes} bytes, at most ${maxEncodedBytes} are declared`;
  return [{ code: 'CONFIGURATION_ENCODING_TOO_LARGE', detail }];
}
