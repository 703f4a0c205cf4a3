/** The parts of an OpenAPI 3.1 document that the comparison reads. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Content;
}

export interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
export type Schema = boolean | Readonly<Record<string, unknown>>;
export interface Reference {
  readonly $ref: string;
}

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && typeof (value as { $ref?: unknown }).$ref === 'string';

/** Follows `$ref` through the document's components. */
export function resolved<Value>(document: OpenApiDocument, value: Value | Reference): Value {
  let current: unknown = value;
  while (isReference(current)) {
    const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(current.$ref) ?? [];
    current = kind === undefined || name === undefined ? undefined : document.components?.[kind]?.[name];
    if (current === undefined) throw new TypeError(`unresolved reference in ${JSON.stringify(value)}`);
  }
  return current as Value;
}
