import { type OpenApiDocument, resolved, type Schema } from './openapi.js';

type Keywords = Readonly<Record<string, unknown>>;

/** Keywords that describe a value and do not restrict it. */
const ANNOTATIONS = new Set(['description', 'title', 'example', 'examples', 'default', 'deprecated', '$schema', '$id']);
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const COMPARED = new Set<string>([
  ...ANNOTATIONS,
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  ...['type', 'enum', 'const', 'pattern', 'format', 'not', 'items', 'anyOf', 'oneOf', 'allOf'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames'],
]);

export interface ContainmentOptions {
  /** Whether the readers of `narrow` ignore unknown members and accept unknown error codes. */
  readonly isOpen: boolean;
  /** Whether `narrow` must declare every member that `wide` declares, optional ones included. */
  readonly keepsMembers: boolean;
}

/** Compares two schemas; places are relative to both, as `.error.code`. */
export type Comparison = (narrow: Schema, wide: Schema) => readonly string[];

/**
 * Returns a comparison that lists the places where `narrow` allows a value that `wide` does not. An empty list means that
 * every value of `narrow` is a value of `wide`. The rules are structural and strict: a keyword that they do not know must be
 * equal on both sides.
 */
export function containment(narrow: OpenApiDocument, wide: OpenApiDocument, options: ContainmentOptions): Comparison {
  const judged = new Map<Keywords, Map<Keywords, readonly string[]>>();
  return compare;

  function compare(subRaw: Schema, superRaw: Schema): readonly string[] {
    const sub = keywordsOf(narrow, subRaw);
    const sup = keywordsOf(wide, superRaw);
    if (sub === false) return [];
    if (sup === false) return [': no value is allowed'];
    if (!restricts(sup)) return [];
    const of = judged.get(sub) ?? new Map<Keywords, readonly string[]>();
    judged.set(sub, of);
    const known = of.get(sup);
    if (known !== undefined) return known;
    // A recursive schema meets itself: the pair holds unless the comparison in progress finds a difference.
    of.set(sup, []);
    const found = compareKeywords(sub, sup);
    of.set(sup, found);
    return found;
  }

  function within(place: string, sub: Schema, sup: Schema): readonly string[] {
    return compare(sub, sup).map((found) => `${place}${found}`);
  }

  function compareKeywords(sub: Keywords, sup: Keywords): readonly string[] {
    if (sup['allOf'] !== undefined) return partsOf(sup).flatMap((part) => compare(sub, part));
    if (sub['allOf'] !== undefined) return fewest(partsOf(sub).map((part) => compare(part, sup)));
    const subBranches = branchesOf(sub);
    if (subBranches !== null) return subBranches.flatMap((branch) => compare(branch, sup));
    const supBranches = branchesOf(sup);
    if (supBranches !== null) {
      const tried = supBranches.map((branch) => compare(sub, branch));
      if (tried.some((found) => found.length === 0)) return [];
      return [`: no alternative allows it (closest: ${fewest(tried)[0]})`];
    }
    return [...values(sub, sup), ...bounds(sub, sup), ...arrays(sub, sup), ...objects(sub, sup)];
  }

  function values(sub: Keywords, sup: Keywords): readonly string[] {
    const found: string[] = [];
    const given = valuesOf(sub);
    const allowed = valuesOf(sup);
    if (allowed !== null) {
      if (given === null) found.push(`: a list of values became open`);
      else {
        const extra = given.filter((value) => !allowed.includes(value));
        if (extra.length > 0) found.push(`: only one side has ${extra.join(', ')}`);
      }
    }
    if (given === null || allowed === null) {
      const types = listOf(sup['type']);
      const missing = listOf(sub['type']).filter(
        (type) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
      );
      if (types.length > 0 && (missing.length > 0 || (sub['type'] === undefined && given === null)))
        found.push(`: type ${JSON.stringify(sub['type'] ?? 'any')} is not ${JSON.stringify(sup['type'])}`);
    }
    for (const keyword of ['pattern', 'format', 'not']) {
      if (sup[keyword] === undefined || isSame(sub[keyword], sup[keyword])) continue;
      const pattern = keyword === 'pattern' ? new RegExp(String(sup[keyword]), 'u') : null;
      const isMet =
        pattern !== null && given !== null && given.every((value) => pattern.test(String(JSON.parse(value))));
      if (!isMet) found.push(`: ${keyword} differs`);
    }
    for (const keyword of Object.keys(sup))
      if (!COMPARED.has(keyword) && !isSame(sub[keyword], sup[keyword])) found.push(`: ${keyword} differs`);
    return found;
  }

  function bounds(sub: Keywords, sup: Keywords): readonly string[] {
    if (valuesOf(sub) !== null && valuesOf(sup) !== null) return [];
    const looser = (keyword: string, isLooser: (given: number, bound: number) => boolean): readonly string[] => {
      const bound = sup[keyword];
      if (typeof bound !== 'number') return [];
      const given = sub[keyword];
      return typeof given === 'number' && !isLooser(given, bound)
        ? []
        : [`: ${keyword} ${String(given ?? 'absent')} is looser than ${bound}`];
    };
    return [
      ...LOWER_BOUNDS.flatMap((keyword) => looser(keyword, (given, bound) => given < bound)),
      ...UPPER_BOUNDS.flatMap((keyword) => looser(keyword, (given, bound) => given > bound)),
    ];
  }

  function arrays(sub: Keywords, sup: Keywords): readonly string[] {
    if (sup['items'] === undefined) return [];
    if (!listOf(sub['type']).includes('array') && sub['items'] === undefined) return [];
    return within('[]', (sub['items'] ?? true) as Schema, sup['items'] as Schema);
  }

  function objects(sub: Keywords, sup: Keywords): readonly string[] {
    const subProperties = (sub['properties'] ?? {}) as Record<string, Schema>;
    const supProperties = (sup['properties'] ?? {}) as Record<string, Schema>;
    const subRest = (sub['additionalProperties'] ?? true) as Schema;
    const supRest = (sup['additionalProperties'] ?? true) as Schema;
    const isObject = listOf(sub['type']).includes('object') || sub['properties'] !== undefined;
    if (!isObject) return [];
    const required = listOf(sub['required']);
    const found = listOf(sup['required'])
      .filter((name) => !required.includes(name))
      .map((name) => `.${String(name)}: required on one side only`);
    for (const [name, schema] of Object.entries(subProperties)) {
      const member = `.${name}`;
      const wanted = Object.hasOwn(supProperties, name) ? supProperties[name]! : supRest;
      if (options.isOpen && (wanted === supRest ? supRest === false : name === 'code' && areErrorCodes(wanted, schema)))
        continue;
      if (wanted === false) found.push(`${member}: unknown member of a closed object`);
      else found.push(...within(member, schema, wanted));
    }
    for (const name of Object.keys(supProperties))
      if (!Object.hasOwn(subProperties, name) && (subRest !== false || options.keepsMembers))
        found.push(`.${name}: declared on one side only`);
    if (subRest !== false && supRest !== false) found.push(...within('.*', subRest, supRest));
    else if (subRest !== false && !options.isOpen) found.push(`: a closed object became open`);
    if (sup['propertyNames'] !== undefined)
      found.push(...within('{}', (sub['propertyNames'] ?? true) as Schema, sup['propertyNames'] as Schema));
    return found;
  }
}

function keywordsOf(document: OpenApiDocument, schema: Schema): Keywords | false {
  if (typeof schema === 'boolean') return schema ? {} : false;
  return resolved<Keywords>(document, schema);
}

/** The members of `anyOf` or `oneOf`, or `null` for a schema without alternatives. */
function branchesOf(schema: Keywords): readonly Schema[] | null {
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (alternatives === undefined) return null;
  const { anyOf, oneOf, ...beside } = schema;
  if ((anyOf !== undefined && oneOf !== undefined) || restricts(beside))
    throw new TypeError(`alternatives beside other keywords are not compared: ${Object.keys(schema).join(', ')}`);
  return alternatives;
}

const restricts = (schema: Keywords): boolean => Object.keys(schema).some((keyword) => !ANNOTATIONS.has(keyword));

/** The members of `allOf`; keywords beside it are one more. */
function partsOf({ allOf, ...beside }: Keywords): readonly Schema[] {
  return [...(allOf as readonly Schema[]), ...(restricts(beside) ? [beside] : [])];
}

const fewest = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.reduce((best, list) => (list.length <= best.length ? list : best));

const areErrorCodes = (...schemas: readonly Schema[]): boolean =>
  schemas.every((schema) => {
    const values = typeof schema === 'boolean' ? null : valuesOf(schema);
    return values !== null && values.every((value) => /^"[A-Z][A-Z0-9_]*"$/.test(value));
  });

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];

/** The values of `enum` or `const` as JSON texts, or `null` for a schema without a list. */
function valuesOf(schema: Keywords): readonly string[] | null {
  if (schema['const'] !== undefined) return [JSON.stringify(schema['const'])];
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => JSON.stringify(value)) : null;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
