import {
  type Content,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type RequestBody,
  resolved,
  type Response,
} from './openapi.js';
import { type Comparison, containment } from './schema-containment.js';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
/** Clients refuse unknown members and codes in answers of these routes. */
const CLOSED_ANSWERS = '/v4/chains/4663/multi-role-custom-launches';

interface Revision {
  readonly before: OpenApiDocument;
  readonly after: OpenApiDocument;
  /** The service still accepts every value that it accepted. */
  readonly accepted: Comparison;
  /** A client that reads every old answer reads every new one. */
  readonly readable: Comparison;
}

/**
 * Lists every change from `before` to `after` that can break a client: a request that was accepted and no longer is, or an
 * answer that a client of `before` cannot read. Additions are no changes of this kind.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): readonly string[] {
  const accepted = containment(before, after, { isOpen: false, keepsMembers: false });
  const closed = containment(after, before, { isOpen: false, keepsMembers: true });
  const open = containment(after, before, { isOpen: true, keepsMembers: true });
  return Object.entries(before.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).flatMap((method) => {
      const kept = after.paths[path]?.[method];
      const readable = path === CLOSED_ANSWERS || path.startsWith(`${CLOSED_ANSWERS}/`) ? closed : open;
      const revision = { before, after, accepted, readable };
      const changes = kept === undefined ? ['removed'] : operationChanges(revision, item[method]!, kept);
      return changes.map((change) => `${method.toUpperCase()} ${path}: ${change}`);
    }),
  );
}

function operationChanges(revision: Revision, before: Operation, after: Operation): readonly string[] {
  return [
    ...(before.operationId === after.operationId
      ? []
      : [`operationId ${before.operationId} became ${after.operationId}`]),
    ...securityChanges(before, after),
    ...parameterChanges(revision, before, after),
    ...bodyChanges(revision, before, after),
    ...responseChanges(revision, before, after),
  ];
}

/** Lists sets of credentials that were sufficient and no longer are. An operation without requirements takes no credentials. */
function securityChanges(before: Operation, after: Operation): readonly string[] {
  const isSufficient = (credentials: Readonly<Record<string, readonly string[]>>): boolean =>
    (after.security ?? [{}]).some((required) =>
      Object.entries(required).every(
        ([scheme, scopes]) =>
          credentials[scheme] !== undefined && scopes.every((one) => credentials[scheme]!.includes(one)),
      ),
    );
  return (before.security ?? [{}])
    .filter((credentials) => !isSufficient(credentials))
    .map((credentials) => `credentials ${JSON.stringify(credentials)} no longer suffice`);
}

function parameterChanges({ before, after, accepted }: Revision, from: Operation, to: Operation): readonly string[] {
  const named = (document: OpenApiDocument, operation: Operation): ReadonlyMap<string, Parameter> =>
    new Map(
      (operation.parameters ?? [])
        .map((parameter) => resolved<Parameter>(document, parameter))
        .map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]),
    );
  const old = named(before, from);
  const current = named(after, to);
  const kept = [...old].flatMap(([name, parameter]) => {
    const now = current.get(name);
    if (now === undefined) return [`${name} was removed`];
    return [
      ...(now.required === true && parameter.required !== true ? [`${name} became required`] : []),
      ...accepted(parameter.schema ?? true, now.schema ?? true).map((change) => `${name}${change}`),
    ];
  });
  const added = [...current].filter(([name, { required }]) => required === true && !old.has(name));
  return [...kept, ...added.map(([name]) => `${name} was added and is required`)];
}

function bodyChanges(revision: Revision, before: Operation, after: Operation): readonly string[] {
  const read = (document: OpenApiDocument, { requestBody }: Operation): RequestBody | null =>
    requestBody === undefined ? null : resolved<RequestBody>(document, requestBody);
  const old = read(revision.before, before);
  const current = read(revision.after, after);
  if (current === null) return old === null ? [] : ['the request body was removed'];
  const changes: string[] = [];
  if (current.required === true && old?.required !== true) changes.push('the request body became required');
  for (const [mediaType, { schema }] of Object.entries(old?.content ?? {})) {
    const now = current.content[mediaType];
    if (now === undefined) changes.push(`request bodies of ${mediaType} are no longer accepted`);
    else
      changes.push(...revision.accepted(schema ?? true, now.schema ?? true).map((change) => `request body${change}`));
  }
  return changes;
}

function responseChanges(revision: Revision, before: Operation, after: Operation): readonly string[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    const old = resolved<Response>(revision.before, response);
    const answer = after.responses[status];
    if (answer === undefined) return [`response ${status} was removed`];
    const current = resolved<Response>(revision.after, answer);
    const headers = Object.keys(old.headers ?? {}).filter((name) => !Object.hasOwn(current.headers ?? {}, name));
    return [
      ...headers.map((name) => `response ${status} lost its header ${name}`),
      ...contentChanges(revision, old.content ?? {}, current.content ?? {}).map(
        (change) => `response ${status}${change}`,
      ),
    ];
  });
}

function contentChanges({ readable }: Revision, before: Content, after: Content): readonly string[] {
  return Object.entries(before).flatMap(([mediaType, { schema }]) => {
    const now = after[mediaType];
    if (now === undefined) return [` is no longer ${mediaType}`];
    return readable(now.schema ?? true, schema ?? true).map((change) => ` (${mediaType})${change}`);
  });
}
