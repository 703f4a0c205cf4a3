import { resolveReference, type ApiAnswer, type Json, type OpenApi, type Parameter } from './openapi-document.js';
import type { OperationLink } from './matching-operations.js';
import { curlExample, needsKey, sdkExample } from './request-examples.js';
import { schemaTree, type SchemaNode } from './schema-tree.js';

export interface ShownBody {
  readonly mediaType: string;
  readonly description: string;
  readonly schema: SchemaNode | null;
  readonly example: string | null;
}
export interface ShownAnswer {
  readonly status: string;
  readonly description: string;
  readonly bodies: readonly ShownBody[];
}
/** An operation as its page shows it. */
export interface ShownOperation extends OperationLink {
  readonly description: string;
  readonly scopes: readonly string[];
  readonly parameters: readonly (Pick<Parameter, 'name' | 'in'> & { readonly schema: SchemaNode })[];
  readonly bodies: readonly ShownBody[];
  readonly answers: readonly ShownAnswer[];
  readonly errors: readonly { readonly status: string; readonly code: string; readonly meaning: string }[];
  readonly curl: string;
  readonly sdk: string;
}

/** Returns every operation, in the order of the products. */
export function operationLinks(document: OpenApi): OperationLink[] {
  const all = placed(document).map(({ method, path, operation }) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    product: operation.tags?.[0] ?? '',
    needsKey: needsKey(operation),
  }));
  const order = document.tags.map(({ name }) => name);
  return all.toSorted((left, right) => order.indexOf(left.product) - order.indexOf(right.product));
}

const placed = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

/** Returns an operation with its schemas resolved, or null if the document has none with the id. */
export function shownOperation(document: OpenApi, id: string, gatewayUrl: string): ShownOperation | null {
  const found = placed(document).find(({ operation }) => operation.operationId === id);
  const link = operationLinks(document).find((one) => one.id === id);
  if (found === undefined || link === undefined) return null;
  const { method, path, operation } = found;
  const { parameters = [], requestBody, security = [] } = operation;
  const answers = answersOf(document, operation.responses);
  return {
    ...link,
    description: operation.description ?? '',
    scopes: security.flatMap((one) => Object.values(one).flat()),
    parameters: parameters.map((one) => {
      const node = schemaTree(document, one.schema ?? {}, one.name, one.required === true);
      return { name: one.name, in: one.in, schema: { ...node, description: one.description ?? node.description } };
    }),
    bodies: requestBody === undefined ? [] : bodiesOf(document, requestBody),
    answers: answers
      .filter(([status]) => !isError(status))
      .map(([status, answer]) => ({
        status,
        description: answer.description ?? '',
        bodies: bodiesOf(document, answer),
      })),
    errors: answers.filter(([status]) => isError(status)).flatMap(([status, answer]) => errorsOf(status, answer)),
    curl: curlExample(gatewayUrl, method, path, operation),
    sdk: sdkExample(gatewayUrl, operation),
  };
}

const isError = (status: string): boolean => Number(status) >= 400;

const answersOf = (document: OpenApi, responses: OpenApi['paths'][string][string]['responses']) =>
  Object.entries(responses).map(([status, one]): [string, ApiAnswer] => [
    status,
    '$ref' in one ? (resolveReference(document, one.$ref) as ApiAnswer) : one,
  ]);

const bodiesOf = (document: OpenApi, { description = '', content = {} }: ApiAnswer): ShownBody[] =>
  Object.entries(content).map(([mediaType, { schema, example }]) => ({
    mediaType,
    description,
    schema: schema === undefined ? null : schemaTree(document, schema as Json),
    example: example === undefined ? null : JSON.stringify(example, null, 2),
  }));

/** Reads the codes of an error: its description has a paragraph for each. */
function errorsOf(status: string, { description = '' }: ApiAnswer): ShownOperation['errors'][number][] {
  return description.split('\n\n').flatMap((paragraph) => {
    const [, code, meaning] = /^`([A-Z0-9_]+)`: ([^]*)$/.exec(paragraph) ?? [];
    return code === undefined ? [] : [{ status, code, meaning: meaning! }];
  });
}

/** Returns the operations by the error code with which they answer. */
export function operationsByCode(document: OpenApi): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { operation } of placed(document))
    for (const [status, answer] of answersOf(document, operation.responses))
      if (isError(status))
        for (const { code } of errorsOf(status, answer))
          found.set(code, [...new Set([...(found.get(code) ?? []), operation.operationId])]);
  return found;
}
