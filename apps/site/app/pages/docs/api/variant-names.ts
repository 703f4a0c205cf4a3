import { resolveReference, type Json, type OpenApi } from './openapi-document.js';

/** Members that tell the variants of a union apart, the clearest first. Any other member comes after them. */
const TELLING = ['schemaVersion', 'kind', 'status', 'form', 'type'];
/** The service names a part that it lifts out of a larger schema by a digest, which says nothing to a reader. */
const GENERATED = /_[0-9a-f]{8}$/;

/** Names the variants of a union by the value that tells them apart, their title, their type or the members of their own. */
export function variantNames(document: OpenApi, variants: readonly Json[]): readonly string[] {
  const whole = variants.map((one) => resolved(document, one));
  const telling = tellingMember(document, whole);
  const names = variants.map((one, at) => {
    const schema = whole[at]!;
    if (telling !== undefined) return `${telling}: ${valuesAt(document, schema, telling)!.join(' or ')}`;
    return ownName(one, schema) ?? ownMembers(schema, whole.toSpliced(at, 1)) ?? typeName(document, schema);
  });
  return names.map((name, at) => (name === null || names.indexOf(name) !== names.lastIndexOf(name) ? numbered(name, at) : name));
}

const numbered = (name: string | null, at: number): string => `${name ?? 'variant'} ${at + 1}`;

function resolved(document: OpenApi, schema: Json): Json {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? resolved(document, resolveReference(document, reference)) : schema;
}

const propertiesOf = (schema: Json): Readonly<Record<string, Json>> => (schema['properties'] ?? {}) as Record<string, Json>;

/** Returns the constants that a member may have, or null for a member with other values. */
function valuesAt(document: OpenApi, schema: Json, name: string): readonly string[] | null {
  const member = propertiesOf(schema)[name];
  if (member === undefined) return null;
  const { const: constant, enum: options } = resolved(document, member);
  if (constant !== undefined) return [String(constant)];
  return Array.isArray(options) ? options.map(String) : null;
}

/** Returns the member whose constants differ in every variant. */
function tellingMember(document: OpenApi, variants: readonly Json[]): string | undefined {
  const candidates = [...new Set([...TELLING, ...Object.keys(propertiesOf(variants[0] ?? {}))])];
  return candidates.find((name) => {
    const values = variants.map((one) => valuesAt(document, one, name));
    const all = values.flatMap((one) => one ?? []);
    return values.every((one) => one !== null) && new Set(all).size === all.length;
  });
}

function ownName(variant: Json, { title, const: constant }: Json): string | null {
  if (typeof title === 'string') return title;
  if (constant !== undefined) return JSON.stringify(constant);
  const reference = variant['$ref'];
  const name = typeof reference === 'string' ? reference.split('/').at(-1)! : null;
  return name === null || GENERATED.test(name) ? null : name;
}

/** Names a variant by required members that no other variant has. */
function ownMembers(schema: Json, others: readonly Json[]): string | null {
  const required = (schema['required'] ?? []) as readonly string[];
  const own = required.filter((name) => others.every((one) => propertiesOf(one)[name] === undefined));
  return own.length === 0 ? null : `with ${own.slice(0, 2).join(' and ')}`;
}

function typeName(document: OpenApi, { type, anyOf, oneOf = anyOf }: Json): string | null {
  if (Array.isArray(oneOf)) return variantNames(document, oneOf as readonly Json[]).join(' or ');
  return typeof type === 'string' ? type : null;
}
