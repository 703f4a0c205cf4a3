import type { DocumentBuilder } from '@nestjs/swagger';
import type { ServedCode } from '@launch/contracts/errors';
import type { z } from 'zod';
import type { ErrorContract } from '../errors/error-contract.js';
import type { ResponseVersions } from './response-versions.js';
import { sharingOf, type Sharing } from './cross-origin.js';
import { parameterNames, type PathParameters } from './path-parameters.js';

type SecurityScheme = Parameters<DocumentBuilder['addSecurity']>[1];

/**
 * The common properties of one kind of routes: keys and their scopes, the form of errors, path parameters, sections.
 */
export interface RouteFamily<S extends string = string, Tag extends string = string> {
  readonly key: {
    /** The name of the security scheme in the OpenAPI document, and its definition there. */
    readonly name: string;
    readonly scheme: SecurityScheme;
    /** The scopes that its keys may have. */
    readonly scopes: readonly S[];
    /** The code that refuses an active key without a required scope. */
    readonly missingScope: ServedCode;
    /** Set if its keys need no grant of a chain. */
    readonly asksNoChain?: true;
  };
  readonly errors: ErrorContract;
  readonly parameters: PathParameters;
  /** The versions of its answers; absent if they have only one. */
  readonly versions?: ResponseVersions;
  /** Set if its pages belong to one origin: scripts of no other origin may read an answer. */
  readonly isOfOneSite?: true;
  /** The sections of the OpenAPI document in order, with their descriptions. */
  readonly tags: Readonly<Record<Tag, string>>;
}

export interface RouteBody {
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** The largest body in bytes; a larger one is refused before or while it arrives. */
  readonly maxBytes: number;
  readonly mediaType: 'application/json';
  /** Absent for canonical JSON; `strict` allows any white space and order of members. */
  readonly form?: 'strict';
}

export interface RouteAnswer {
  readonly description: string;
  /** A named schema for a JSON body. */
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** The media types of a body without a schema. */
  readonly mediaTypes?: readonly string[];
  /** Headers in addition to those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The complete declaration of a route, next to its handler. */
export type RouteDeclaration<S extends string = string, Q extends string = string, Tag extends string = string> = {
  readonly method: 'get' | 'post' | 'put';
  /** The whole path in OpenAPI's notation: `/launches/{launchId}`. */
  readonly path: string;
  /** The operation's id, which generated clients use as a name. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Its name in the family's discovery document; absent if that document does not list it. */
  readonly discovery?: string;
  /** The query parameters; without them, a query is refused. */
  readonly query?: z.ZodObject;
  /** Absent for routes that take no body. */
  readonly body?: RouteBody;
  /** Refuses a request with a body. Without it, a route that takes none ignores a body. */
  readonly takesNoBody?: true;
  readonly idempotencyKey?: 'required';
  /** Refuses a request without a revision in `If-Match`. */
  readonly ifMatch?: 'required';
  /** The description of a 200 answer's entity tag, for cacheable answers; `If-None-Match` is answered with 304. */
  readonly entityTag?: string;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Codes of this route beyond those that follow from the rest of its declaration. */
  readonly errors?: readonly ServedCode[];
} & (
  | {
      /** Public, counted by address; `probe` asks about the process itself, which counts it alone. */
      readonly scopes: null;
      readonly quota: Q | 'probe';
    }
  /** Every scope that a key needs; an empty list accepts any active key. */
  | { readonly scopes: readonly S[]; readonly quota: Q }
);

/** A declared route with the properties of its family. */
export type RouteDefinition = RouteDeclaration & {
  readonly family: RouteFamily;
  /** Every code that it can answer with. */
  readonly allErrors: readonly ServedCode[];
  /** The scripts of other origins that may read its answers, and the headers for it; null if none may. */
  readonly sharing: Sharing | null;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: RouteDefinition;
  }
}

const BODY: readonly ServedCode[] = ['REQUEST_TOO_LARGE', 'REQUEST_TIMEOUT', 'UNSUPPORTED_MEDIA_TYPE'];
const IDEMPOTENCY: readonly ServedCode[] = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_KEY_INVALID'];
const JSON_BYTES: readonly ServedCode[] = [
  'JSON_EMPTY',
  'JSON_SYNTAX',
  'JSON_INVALID_UTF8',
  'JSON_DUPLICATE_KEY',
  'JSON_DEPTH_EXCEEDED',
  'JSON_VALUES_EXCEEDED',
  'JSON_TRAILING_DATA',
  'JSON_NUMBER_RANGE',
  'SCHEMA_INVALID',
  'SCHEMA_UNKNOWN_FIELD',
];
const ANY_ROUTE: readonly ServedCode[] = [
  'RATE_LIMITED',
  'METHOD_NOT_ALLOWED',
  'HEADER_INVALID',
  'TARGET_TOO_LONG',
  'SERVICE_UNAVAILABLE',
  'INTERNAL',
];

const keyErrors = ({ key }: RouteFamily, scopes: readonly string[]): readonly ServedCode[] => [
  'UNAUTHENTICATED',
  ...(scopes.length === 0 ? [] : [key.missingScope]),
  ...(scopes.length === 0 || key.asksNoChain === true ? [] : (['CHAIN_NOT_ALLOWED'] as const)),
];

/** Returns the codes that refuse a path or a version. */
function addressErrors({ parameters, versions }: RouteFamily, path: string): readonly ServedCode[] {
  const refusals = parameterNames(path).map((name) => parameters[name]?.refusal);
  return [...refusals, versions?.unknown].filter((code) => code !== undefined);
}

/** Completes a declared route. @throws TypeError for a path parameter that the family does not know. */
export function defineRoute(family: RouteFamily, declaration: RouteDeclaration): RouteDefinition {
  const unknown = parameterNames(declaration.path).filter((name) => family.parameters[name] === undefined);
  if (unknown.length > 0)
    throw new TypeError(`${declaration.path}: the family declares no parameter ${unknown.join(', ')}`);
  const allErrors = new Set<ServedCode>([
    ...addressErrors(family, declaration.path),
    ...(declaration.scopes === null ? [] : keyErrors(family, declaration.scopes)),
    declaration.query === undefined ? 'QUERY_NOT_ALLOWED' : 'QUERY_INVALID',
    ...(declaration.takesNoBody === undefined ? [] : (['BODY_NOT_ALLOWED'] as const)),
    ...(declaration.body === undefined ? [] : BODY),
    ...(declaration.idempotencyKey === undefined ? [] : IDEMPOTENCY),
    ...(declaration.ifMatch === undefined ? [] : (['PRECONDITION_REQUIRED'] as const)),
    ...(declaration.body === undefined ? [] : JSON_BYTES),
    ...(declaration.body === undefined || declaration.body.form === 'strict' ? [] : (['JSON_NOT_CANONICAL'] as const)),
    ...(declaration.errors ?? []),
    ...ANY_ROUTE,
  ]);
  const { entry, statuses } = family.errors;
  const isOwn = (code: ServedCode): boolean => statuses?.includes(entry(code).status) ?? true;
  return {
    ...declaration,
    family,
    allErrors: [...allErrors].filter(isOwn),
    sharing: sharingOf(declaration, family),
  };
}
