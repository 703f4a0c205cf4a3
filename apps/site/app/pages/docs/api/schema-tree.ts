import { resolveReference, type Json, type OpenApi } from './openapi-document.js';
import { variantNames } from './variant-names.js';

/** A value of a request or a response as the reference shows it, with its members below it. */
export interface SchemaNode {
  /** The name of the member; empty for the value itself. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Restrictions in words and numbers. */
  readonly rules: readonly string[];
  readonly members: readonly SchemaNode[];
}

const RULES = [
  ['pattern', 'matches'],
  ['format', 'format'],
  ['minLength', 'at least, in characters'],
  ['maxLength', 'at most, in characters'],
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minItems', 'at least, in items'],
  ['maxItems', 'at most, in items'],
  ['default', 'default'],
] as const;

/** Flattens a schema into a tree without references. A type inside itself is named and not repeated. */
export function schemaTree(
  document: OpenApi,
  schema: Json,
  name = '',
  isRequired = true,
  within: readonly string[] = [],
): SchemaNode {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const type = reference.split('/').at(-1)!;
    if (within.includes(reference))
      return { name, type: `${type} (as above)`, isRequired, description: '', rules: [], members: [] };
    return schemaTree(document, resolveReference(document, reference), name, isRequired, [...within, reference]);
  }
  const child = (one: Json, as: string, required: boolean): SchemaNode =>
    schemaTree(document, one, as, required, within);
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([key, one]) =>
    child(one, key, required.has(key)),
  );
  const items = isSchema(schema['items']) ? [child(schema['items'], 'each item', true)] : [];
  const others = isSchema(schema['additionalProperties'])
    ? [child(schema['additionalProperties'], 'each other member', false)]
    : [];
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly Json[];
  const alternatives = choices.filter((one) => one['type'] !== 'null');
  const names = variantNames(document, alternatives);
  const variants = alternatives.map((one, at) => child(one, names[at]!, true));
  const parts = ((schema['allOf'] ?? []) as readonly Json[]).flatMap((one) => child(one, '', true).members);
  // One alternative besides null is the value itself.
  const [only] = variants;
  const isNullable = variants.length < choices.length;
  if (only !== undefined && variants.length === 1)
    return {
      ...only,
      name,
      isRequired,
      type: isNullable ? `${only.type} or null` : only.type,
      description: textOf(schema) || only.description,
    };
  return {
    name,
    type: typeOf(schema) + (isNullable ? ' or null' : ''),
    isRequired,
    description: textOf(schema),
    rules: rulesOf(schema),
    members: [...properties, ...parts, ...items, ...others, ...variants],
  };
}

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;
const textOf = ({ description }: Json): string => (typeof description === 'string' ? description : '');

function typeOf(schema: Json): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join(' or ');
  if (schema['const'] !== undefined) return typeof schema['const'];
  if (schema['anyOf'] !== undefined || schema['oneOf'] !== undefined) return 'one of';
  return schema['properties'] === undefined && schema['allOf'] === undefined ? 'any' : 'object';
}

function rulesOf(schema: Json): string[] {
  const constant = schema['const'] === undefined ? [] : [`always ${JSON.stringify(schema['const'])}`];
  const values = schema['enum'] as readonly unknown[] | undefined;
  const options = values === undefined ? [] : [`one of ${values.map((one) => JSON.stringify(one)).join(', ')}`];
  const others = RULES.filter(([key]) => schema[key] !== undefined).map(
    ([key, said]) => `${said} ${typeof schema[key] === 'string' ? schema[key] : JSON.stringify(schema[key])}`,
  );
  return [...constant, ...options, ...others];
}
