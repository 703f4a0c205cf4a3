import { addressOf } from '../primitives/eip55.js';
import { NUMBER_TYPES, type ConfigurationField, type FieldValue } from './configuration.schema.js';
import type { DeclaredConfiguration, DeclaredList } from './declared-parts.js';

/** A fault of a part of a configuration; `path` is relative to the configuration. */
export interface ConfigurationIssue {
  readonly path: readonly (string | number)[];
  readonly expected: string;
}

const range = (abiType: string): readonly [bigint, bigint] => {
  const bits = BigInt(abiType.replace(/^u?int/, ''));
  return abiType.startsWith('u') ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
};

const INTEGER = /^(0|-?[1-9][0-9]{0,77})$/;
const integer = (text: string | undefined): bigint | null =>
  text !== undefined && INTEGER.test(text) ? BigInt(text) : null;

/** Returns the byte length of a value of variable length: of its UTF-8 for text, of the decoded hex otherwise. */
const byteLength = (type: string, value: string): number =>
  type === 'string' ? new TextEncoder().encode(value).length : (value.length - 2) / 2;

function numberFault(field: ConfigurationField, value: FieldValue): string | null {
  const [least, most] = range(NUMBER_TYPES.get(field.type)!);
  const min = integer(field.min) ?? least;
  const max = integer(field.max) ?? most;
  const step = integer(field.step);
  if (typeof value !== 'string' || !INTEGER.test(value)) return 'a canonical decimal integer string';
  const number = BigInt(value);
  if (number < least || number > most) return `a number of ${NUMBER_TYPES.get(field.type)!}`;
  if (number < min || number > max) return `a number from ${min} to ${max}`;
  if (step !== null && step > 0n && (number - min) % step !== 0n) return `steps of ${step} from ${min}`;
  return null;
}

/** Returns the reason why a value does not fit the field; null if it fits. */
export function valueFault(field: ConfigurationField, value: FieldValue): string | null {
  const { type } = field;
  if (NUMBER_TYPES.has(type)) return numberFault(field, value);
  if (type === 'bool') return typeof value === 'boolean' ? null : 'true or false';
  if (type === 'array') {
    if (!Array.isArray(value)) return 'a list';
    const list = value as readonly FieldValue[];
    if (list.length < (field.minLength ?? 0) || list.length > (field.maxLength ?? Infinity))
      return `${field.minLength ?? 0} to ${field.maxLength ?? 'any number of'} items`;
    const { items } = field;
    return items === undefined
      ? null
      : (list.map((one) => valueFault(items, one)).find((fault) => fault !== null) ?? null);
  }
  if (type === 'tuple') {
    if (typeof value !== 'object' || Array.isArray(value)) return 'an object of its fields';
    // A Map, because a key can be the name of an inherited member, such as `constructor`.
    const members = new Map(Object.entries(value as Readonly<Record<string, FieldValue>>));
    const known = new Map((field.fields ?? []).map((inner) => [inner.key, inner]));
    const foreign = [...members.keys()].find((key) => !known.has(key));
    if (foreign !== undefined) return 'its declared fields alone';
    for (const [key, inner] of known) {
      const member = members.get(key) ?? inner.default;
      if (member === undefined) {
        if (inner.required) return 'a value for each required field';
        continue;
      }
      const fault = valueFault(inner, member);
      if (fault !== null) return fault;
    }
    return null;
  }
  if (typeof value !== 'string') return 'a text';
  if (type === 'enum') {
    return (field.options ?? []).some((option) => option.value === value) ? null : 'the value of an option';
  }
  if (type === 'address') return addressOf(value) === null ? 'an address in lower case or with its checksum' : null;
  if (type === 'bytes32') return /^0x[0-9a-f]{64}$/.test(value) ? null : 'a lowercase 0x-prefixed 32-byte word';
  if (type === 'bytes' && !/^0x(?:[0-9a-f]{2})*$/.test(value)) return 'lowercase 0x-prefixed bytes';
  const length = byteLength(type, value);
  if (length < (field.minLength ?? 0) || length > (field.maxLength ?? Infinity))
    return `${field.minLength ?? 0} to ${field.maxLength ?? 'any number of'} bytes`;
  return null;
}

/** Finds members that a type requires or does not allow. */
function memberFaults(field: ConfigurationField): readonly (readonly [member: string, expected: string])[] {
  const isNumber = NUMBER_TYPES.has(field.type);
  const isLong = ['bytes', 'string', 'array'].includes(field.type);
  const faults: (readonly [string, string])[] = [];
  const only = (members: readonly (keyof ConfigurationField)[], allowed: boolean) => {
    for (const member of members)
      if (!allowed && field[member] !== undefined) faults.push([member, `no member of type ${field.type}`]);
  };
  only(['min', 'max', 'step'], isNumber);
  only(['minLength', 'maxLength'], isLong);
  only(['pattern'], field.type === 'string');
  only(['options'], field.type === 'enum');
  only(['items'], field.type === 'array');
  only(['fields'], field.type === 'tuple');
  if (field.type === 'enum' && field.options === undefined) faults.push(['options', 'the options of an enum']);
  if (field.type === 'array' && field.items === undefined) faults.push(['items', 'what the array is of']);
  if (field.type === 'tuple' && field.fields === undefined) faults.push(['fields', 'the fields of the tuple']);
  if (isNumber) {
    const [least, most] = range(NUMBER_TYPES.get(field.type)!);
    const bounds = { min: integer(field.min), max: integer(field.max) };
    for (const [member, bound] of Object.entries(bounds))
      if (bound !== null && (bound < least || bound > most))
        faults.push([member, `a number of ${NUMBER_TYPES.get(field.type)!}`]);
    if (bounds.min !== null && bounds.max !== null && bounds.min > bounds.max) faults.push(['max', 'no less than min']);
    const step = integer(field.step);
    if (step !== null && step <= 0n) faults.push(['step', 'more than 0']);
  }
  if ((field.minLength ?? 0) > (field.maxLength ?? Infinity)) faults.push(['maxLength', 'no less than minLength']);
  return faults;
}

/**
 * Finds contradictions in a list of fields: members of another type, a default outside its own bounds, a repeated key,
 * a condition on a missing key (docs/reference/modules.md#configuration). The build checks whether the defaults fit
 * their declared size, because that needs the ABI encoder.
 * @param fields typed fields in ABI order; null for one with a wrong form. @param path pointer of the list.
 */
export function fieldIssues(
  fields: DeclaredList<ConfigurationField>,
  path: readonly (string | number)[],
): ConfigurationIssue[] {
  const hasKey = keysOf(fields);
  const seen = new Set<string>();
  return fields.flatMap((field, index) => {
    if (field === null) return [];
    const at = [...path, index];
    const issues: ConfigurationIssue[] = memberFaults(field).map(([member, expected]) => ({
      path: [...at, member],
      expected,
    }));
    if (seen.has(field.key)) issues.push({ path: [...at, 'key'], expected: 'a key that stands once' });
    seen.add(field.key);
    const { visibleIf } = field;
    if (visibleIf !== undefined && (!hasKey(visibleIf.key) || visibleIf.key === field.key))
      issues.push({ path: [...at, 'visibleIf', 'key'], expected: 'the key of another field beside it' });
    if (field.default !== undefined && issues.length === 0) {
      const fault = valueFault(field, field.default);
      if (fault !== null) issues.push({ path: [...at, 'default'], expected: fault });
    }
    if (field.items !== undefined) issues.push(...fieldIssues([field.items], [...at, 'items']).map(withoutIndex(at)));
    if (field.fields !== undefined) issues.push(...fieldIssues(field.fields, [...at, 'fields']));
    return issues;
  });
}

/** Returns whether a list has a field of a key. A field with a wrong form may have any. */
function keysOf(fields: DeclaredList<ConfigurationField>): (key: string) => boolean {
  const keys = new Set(fields.map((field) => field?.key));
  return (key) => keys.has(key) || keys.has(undefined);
}

/** An array has one inner field, so its path has no index. */
const withoutIndex =
  (at: readonly (string | number)[]) =>
  ({ path, expected }: ConfigurationIssue): ConfigurationIssue => ({
    path: [...at, 'items', ...path.slice(at.length + 2)],
    expected,
  });

/** Finds contradictions in a whole configuration, including the keys of its constraints. */
export function configurationIssues({ fields, constraints }: DeclaredConfiguration): ConfigurationIssue[] {
  const hasKey = keysOf(fields);
  return [
    ...fieldIssues(fields, ['fields']),
    ...constraints.flatMap((constraint, index) =>
      (constraint?.keys ?? []).flatMap((key, place) =>
        hasKey(key) ? [] : [{ path: ['constraints', index, 'keys', place], expected: 'the key of a field' }],
      ),
    ),
  ];
}
