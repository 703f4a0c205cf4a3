import type { DocumentBuilder } from '@nestjs/swagger';
import type { ServedCode } from '@launch/contracts/errors';
import type { z } from 'zod';
import type { ErrorContract } from '../errors/error-contract.js';
import type { ResponseVersions } from './response-versions.js';
import { parameterNames, type PathParameters } from './path-parameters.js';

type SecurityScheme = Parameters<DocumentBuilder['addSecurity']>[1];

/** What routes of one kind have in common: keys and their scopes, the form of errors, path parameters, sections. */
export interface RouteFamily<S extends string = string, Tag extends string = string> {
  readonly key: {
    /** The security scheme by its name in the description, and as OpenAPI says it. */
    readonly name: string;
    readonly scheme: SecurityScheme;
    /** What its keys may be good for. */
    readonly scopes: readonly S[];
    /** What a living key is refused with that lacks a scope. */
    readonly missingScope: ServedCode;
    /** Set where its keys need no grant of a chain. */
    readonly asksNoChain?: true;
  };
  readonly errors: ErrorContract;
  readonly parameters: PathParameters;
  /** The versions that its answers have; absent where they have one. */
  readonly versions?: ResponseVersions;
  /** The sections of the description, in order, and what each is for. */
  readonly tags: Readonly<Record<Tag, string>>;
}

export interface RouteBody {
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** More bytes are refused, before or while they arrive. */
  readonly maxBytes: number;
  readonly mediaType: 'application/json';
  /** Absent where the body is canonical JSON; `strict` leaves white space and the order of members free. */
  readonly form?: 'strict';
}

export interface RouteAnswer {
  readonly description: string;
  /** A named schema, for a body of JSON. */
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** Of a body without a schema. */
  readonly mediaTypes?: readonly string[];
  /** Headers besides those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Everything that is to be said about a route; said once, where its handler stands. */
export type RouteDeclaration<S extends string = string, Q extends string = string, Tag extends string = string> = {
  readonly method: 'get' | 'post' | 'put';
  /** The whole path, as OpenAPI writes it: `/launches/{launchId}`. */
  readonly path: string;
  /** The operation's id: what generated clients call it. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Its name in the family's discovery document; absent where that does not name it. */
  readonly discovery?: string;
  /** The query parameters; without it a query is refused. */
  readonly query?: z.ZodObject;
  /** Absent for routes that take no body. */
  readonly body?: RouteBody;
  /** A request with a body is refused; without this one that takes none does not look whether there is one. */
  readonly takesNoBody?: true;
  readonly idempotencyKey?: 'required';
  /** A request that names no revision in `If-Match` is refused. */
  readonly ifMatch?: 'required';
  /** Answers are cacheable by entity tag: what the tag of a 200 is. 304 answers `If-None-Match`. */
  readonly entityTag?: string;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Codes that this route answers with, besides those that follow from the rest of its declaration. */
  readonly errors?: readonly ServedCode[];
} & (
  | {
      /** Anybody may ask, counted by address; `probe` is a question about the process itself, which it counts alone. */
      readonly scopes: null;
      readonly quota: Q | 'probe';
    }
  /** Every scope that a key needs; an empty list for any living key, whatever it was granted. */
  | { readonly scopes: readonly S[]; readonly quota: Q }
);

/** A declared route with what its family adds. */
export type RouteDefinition = RouteDeclaration & {
  readonly family: RouteFamily;
  /** Every code it can answer with. */
  readonly allErrors: readonly ServedCode[];
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

/** What a path or a version is refused with. */
function addressErrors({ parameters, versions }: RouteFamily, path: string): readonly ServedCode[] {
  const refusals = parameterNames(path).map((name) => parameters[name]?.refusal);
  return [...refusals, versions?.unknown].filter((code) => code !== undefined);
}

/** A route of a family, complete. @throws TypeError for a path parameter that the family does not know. */
export function defineRoute(family: RouteFamily, declaration: RouteDeclaration): RouteDefinition {
  const unknown = parameterNames(declaration.path).filter((name) => family.parameters[name] === undefined);
  if (unknown.length > 0) throw new TypeError(`${declaration.path}: nobody says what ${unknown.join(', ')} looks like`);
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
  return { ...declaration, family, allErrors: [...allErrors] };
}
