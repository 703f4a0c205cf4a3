import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import { COMPONENTS } from '@launch/http';

export type Json = Readonly<Record<string, unknown>>;

/** Keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by name. */
const ONE = new Set(['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else']);
const LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const BY_NAME = new Set(['properties', 'patternProperties']);
/** A shorter schema stays inline: a reference would hide more than it saves. */
const MIN_CHARACTERS = 160;

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const keyOf = (schema: Json): string => Buffer.from(canonicalizeJson(schema)).toString();
const nameFrom = (hint: string): string =>
  hint.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
/** Returns whether a schema has a structure. A mere list of words stays beside its member. */
const hasStructure = (schema: Json): boolean =>
  ['properties', 'items', 'prefixItems', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);

/** Named schemas in which each repeated part is written once, under its own name. */
export class SharedSchemas {
  private readonly times = new Map<string, number>();
  private readonly names = new Map<string, string>();
  private readonly shared = new Map<string, Json>();

  constructor(private readonly named: Readonly<Record<string, Json>>) {
    for (const [name, schema] of Object.entries(named)) this.names.set(keyOf(schema), name);
    for (const schema of Object.values(named)) mapParts(schema, '', (part) => this.count(part));
  }

  /** Returns the named schemas and the parts that they share. */
  all(): Record<string, Json> {
    const rewritten = Object.entries(this.named).map(([name, schema]) => [name, this.rewrite(schema, name)] as const);
    return Object.fromEntries<Json>([...rewritten, ...this.shared]);
  }

  /** Counts a part. A repeated part is not entered again, since the parts that only it contains occur once. */
  private count(part: Json): Json {
    const key = keyOf(part);
    const times = (this.times.get(key) ?? 0) + 1;
    this.times.set(key, times);
    return times > 1 ? part : mapParts(part, '', (inner) => this.count(inner));
  }

  private rewrite(schema: Json, hint: string): Json {
    return mapParts(schema, hint, (part, partHint) => this.refer(part, partHint));
  }

  private refer(part: Json, hint: string): Json {
    const key = keyOf(part);
    const known = this.names.get(key);
    const isShared = known !== undefined || (this.times.get(key) ?? 0) > 1;
    if (!isShared || key.length < MIN_CHARACTERS || !hasStructure(part)) return this.rewrite(part, hint);
    return { $ref: `${COMPONENTS}${known ?? this.share(part, key, hint)}` };
  }

  private share(part: Json, key: string, hint: string): string {
    const wanted = nameFrom(hint);
    const isTaken = wanted in this.named || this.shared.has(wanted);
    const name = isTaken ? `${wanted}_${sha256Digest(Buffer.from(key)).slice(7, 15)}` : wanted;
    this.names.set(key, name);
    this.shared.set(name, {});
    this.shared.set(name, this.rewrite(part, hint));
    return name;
  }
}

/** Replaces each schema directly inside a schema. @param hint the name of the schema; members are named after themselves. */
function mapParts(schema: Json, hint: string, replace: (part: Json, hint: string) => Json): Json {
  const one = (value: unknown, name: string): unknown => (isSchema(value) ? replace(value, name) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (ONE.has(keyword)) return [keyword, one(value, keyword === 'items' ? `${hint}Item` : hint)];
      if (LIST.has(keyword) && Array.isArray(value)) return [keyword, value.map((inner) => one(inner, hint))];
      if (BY_NAME.has(keyword) && isSchema(value))
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, one(inner, name)]))];
      return [keyword, value];
    }),
  );
}
