import { Inject, Injectable } from '@nestjs/common';
import {
  capabilitiesSchema,
  catalogueEntry,
  createRequestSchema,
  errorBodySchema,
  finalityDiscoverySchema,
  finalityReadinessSchema,
  finalityEvidenceSchema,
  finalityStatusSchema,
  finalityStatusV3Schema,
  finalizedListSchema,
  finalizedListV3Schema,
  finalizedRecordSchema,
  finalizedRecordV3Schema,
  launchListSchema,
  launchResourceSchema,
  MULTI_ROLE_BASE_PATH,
  preflightResultSchema,
  sha256Digest,
  transactionHintReceiptSchema,
  transactionHintReceiptV3Schema,
  transactionHintSchema,
  transactionHintV3Schema,
  type ErrorCode,
} from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { z } from 'zod';
import { SIGN_IN_BODIES, SIGN_IN_ROUTE_DOCS } from '../../accounts/sign-in/sign-in.routes.js';
import { SIGN_IN } from '../../tokens.js';
import { errorExample, EXAMPLES } from './examples.js';
import { headersOf, headersOfErrors } from './headers.js';
import { ROUTE_DOCS, TAGS, type AnswerDoc, type RouteDoc } from './route-docs.js';

/** The bodies of this API, by the names they carry in the schemas themselves. */
export const BODIES = [
  capabilitiesSchema,
  createRequestSchema,
  errorBodySchema,
  finalityStatusSchema,
  finalizedListSchema,
  finalizedRecordSchema,
  launchListSchema,
  launchResourceSchema,
  preflightResultSchema,
  transactionHintReceiptSchema,
  transactionHintSchema,
  finalityDiscoverySchema,
  finalityReadinessSchema,
  finalityStatusV3Schema,
  finalizedListV3Schema,
  finalizedRecordV3Schema,
  transactionHintReceiptV3Schema,
  transactionHintV3Schema,
  finalityEvidenceSchema,
];

type Json = Readonly<Record<string, unknown>>;

const COMPONENTS = '#/components/schemas/';
/** Where zod puts the parts it found in more than one body. */
const SHARED = '__shared#/$defs/';

/** OpenAPI 3.1, made from the very schemas that validate; the same bytes for as long as the process runs. */
@Injectable()
export class OpenApiDocument {
  /** What is described, in order. */
  readonly routes: readonly RouteDoc[];
  readonly document: Json;
  readonly bytes: Uint8Array;
  readonly contentSha256: string;

  /** @param signIn null where nobody can sign in: then the description does not know of it. */
  constructor(@Inject(SIGN_IN) signIn: object | null) {
    this.routes = signIn === null ? ROUTE_DOCS : [...ROUTE_DOCS, ...SIGN_IN_ROUTE_DOCS];
    this.document = describeApi(this.routes, signIn === null ? [] : SIGN_IN_BODIES);
    this.bytes = canonicalizeJson(this.document);
    this.contentSha256 = sha256Digest(this.bytes);
  }
}

export function describeApi(routes: readonly RouteDoc[] = ROUTE_DOCS, moreBodies: readonly z.ZodType[] = []): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operationOf(route);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Multi-role Custom Launch API',
      version: '2.0.0',
      description:
        "From a packed launch request to an Ethereum-finalized public record on chain 4663. The service signs a permit, never the controller's transaction. HEAD mirrors GET; every answer carries RateLimit headers and X-Request-Id; `Accept: application/problem+json` turns errors into problem details.",
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    externalDocs: {
      description: 'The guide: from a key to a finalized record, with every command.',
      url: `${MULTI_ROLE_BASE_PATH}/guide.md`,
    },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: { ...componentSchemas([...BODIES, ...moreBodies]), ProblemDetails: PROBLEM_DETAILS },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            "An API key for chain 4663, bound to one wallet, or a partner's to a list of them. Scopes: custom-launch:create, custom-launch:read.",
        },
      },
    },
  };
}

/** Every named schema once, under `#/components/schemas`: bodies, and the named parts that several of them share. */
function componentSchemas(described: readonly z.ZodType[]): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const schema of described) register(registry, schema);
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `${COMPONENTS}${id}`,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  const { __shared, ...bodies } = schemas as Record<string, { readonly $defs?: Record<string, Json> }>;
  const named = Object.entries<Json>({ ...(__shared?.$defs ?? {}), ...bodies });
  return Object.fromEntries(
    named.map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, id: _name, ...rest } = schema;
      return [name, JSON.parse(JSON.stringify(rest).replaceAll(`"${COMPONENTS}${SHARED}`, `"${COMPONENTS}`)) as Json];
    }),
  );
}

const register = (registry: z.core.$ZodRegistry<{ id: string }>, schema: z.ZodType): void => {
  const id = schema.meta()?.id;
  if (id === undefined) throw new TypeError('a body of the API has a name');
  registry.add(schema, { id });
};

function operationOf(route: RouteDoc): Json {
  const responses: Record<string, Json> = {};
  for (const answer of route.answers) responses[String(answer.status)] = answerOf(answer);
  for (const [status, codes] of errorsByStatus(route.errors)) {
    responses[String(status)] ??= {
      description: codes.map((code) => `\`${code}\`: ${catalogueEntry(code).message}`).join('\n\n'),
      headers: headersOfErrors(status, codes),
      content: errorContent(codes),
    };
  }
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === '' ? {} : { description: route.description }),
    ...(route.parameters.length === 0 ? {} : { parameters: route.parameters }),
    ...(route.requestSchema === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: 'Canonical JSON (RFC 8785).',
            content: { 'application/json': bodyOf(route.requestSchema) },
          },
        }),
    security: route.scopes === null ? [] : [{ apiKey: [...route.scopes] }],
    responses,
  };
}

function errorsByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = catalogueEntry(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([left], [right]) => left - right));
}

const reference = (name: string): Json => ({ $ref: `${COMPONENTS}${name}` });

const bodyOf = (name: string): Json => ({
  schema: reference(name),
  ...(EXAMPLES[name] === undefined ? {} : { example: EXAMPLES[name] }),
});

/** The error body narrowed to the codes this route can answer with; the same, as problem details, to who asks for it. */
function errorContent(codes: readonly ErrorCode[]): Json {
  const body = {
    allOf: [reference('ErrorBody'), { properties: { error: { properties: { code: { enum: [...codes] } } } } }],
  };
  return {
    'application/json': { schema: body, ...(codes[0] === undefined ? {} : { example: errorExample(codes[0]) }) },
    'application/problem+json': { schema: { allOf: [reference('ProblemDetails'), body] } },
  };
}

/** Problem details as RFC 9457 has them, beside the members of `ErrorBody`. */
const PROBLEM_DETAILS: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'requestId', 'errors'],
  properties: {
    type: { type: 'string', description: 'Where the code is explained.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    instance: { type: 'string' },
    code: { type: 'string' },
    requestId: { type: 'string' },
    errors: { type: 'array', items: { type: 'object' } },
  },
};

const answerOf = (answer: AnswerDoc): Json => ({
  description: answer.description,
  headers: headersOf(answer.headers),
  ...(answer.status === 304
    ? {}
    : {
        content: Object.fromEntries(
          (answer.mediaTypes ?? ['application/json']).map((type) => [
            type,
            answer.schema === null ? {} : bodyOf(answer.schema),
          ]),
        ),
      }),
});
