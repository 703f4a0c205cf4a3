import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { ServedCode } from '@launch/contracts/errors';
import { LIMITS } from '@launch/contracts/primitives';
import { z } from 'zod';
import type { ErrorContract } from '../errors/error-contract.js';
import { REVISION } from '../requests/if-match.js';
import { parameterNames } from './path-parameters.js';
import type { ResponseVersions } from './response-versions.js';
import type { RouteAnswer, RouteDefinition, RouteFamily } from './route.definition.js';

type Json = Readonly<Record<string, unknown>>;

/** The pointer to named schemas in the OpenAPI document. */
export const COMPONENTS = '#/components/schemas/';

/** Returns the name of a component's schema. @throws TypeError for a schema without a name. */
export function componentName(schema: z.ZodType): string {
  const name = schema.meta()?.id;
  if (name === undefined) throw new TypeError('a body of the API has a name');
  return name;
}

/** `SwaggerModule` copies decorator arguments deeply, so it gets references instead of zod schemas. */
const referenceTo = (schema: z.ZodType) => ({ $ref: `${COMPONENTS}${componentName(schema)}` });

/** Describes a route for OpenAPI, as the decorators from which `SwaggerModule` builds the document. */
export function describeRoute(route: RouteDefinition): readonly MethodDecorator[] {
  const { family, scopes } = route;
  return [
    ApiOperation({
      operationId: route.id,
      tags: [route.tag],
      summary: route.summary,
      ...(route.description === undefined ? {} : { description: route.description }),
      security: scopes === null ? [] : [{ [family.key.name]: [...scopes] }],
    }),
    ...parametersOf(route),
    ...(route.body === undefined ? [] : [bodyOf(route.body)]),
    ...Object.entries(route.answers).map(([status, answer]) => answerOf(Number(status), answer, route)),
    ...(route.entityTag === undefined ? [] : [NOT_MODIFIED]),
    ...errorsOf(route),
  ];
}

function parametersOf(route: RouteDefinition): readonly MethodDecorator[] {
  const inPath = parameterNames(route.path).map((name) => {
    const { form, description, schema } = route.family.parameters[name]!;
    return ApiParam({
      name,
      required: true,
      description,
      schema: { ...(schema ?? { type: 'string', ...(form === undefined ? {} : { pattern: `^${form}$` }) }) },
    });
  });
  return [
    ...inPath,
    ...(route.query === undefined ? [] : queryOf(route.query)),
    ...(route.idempotencyKey === undefined ? [] : [IDEMPOTENCY_KEY]),
    ...(route.ifMatch === undefined ? [] : [IF_MATCH]),
    ...(route.entityTag === undefined ? [] : [IF_NONE_MATCH]),
    ...(route.family.versions === undefined ? [] : [versionHeader(route.family.versions)]),
  ];
}

const IDEMPOTENCY_KEY = ApiHeader({
  name: 'Idempotency-Key',
  required: true,
  description: 'The idempotency key. It is permanently bound to the exact bytes of the body.',
  schema: { type: 'string', pattern: LIMITS.idempotencyKeyPattern.source },
});
const IF_MATCH = ApiHeader({
  name: 'If-Match',
  required: true,
  description: 'The revision that the change is meant for, bare or as the entity tag of the resource.',
  schema: { type: 'string', pattern: REVISION.source },
});
const IF_NONE_MATCH = ApiHeader({
  name: 'If-None-Match',
  required: false,
  description: 'Entity tags that the client already has, or `*` for any.',
  schema: { type: 'string' },
});

/** Describes query parameters by the output of their schema: `limit` is written as text and is an integer. */
const queryOf = (query: z.ZodObject): readonly MethodDecorator[] =>
  Object.entries(query.shape).map(([name, schema]) => {
    const {
      $schema: _dialect,
      description = '',
      ...form
    } = z.toJSONSchema(schema as z.ZodType) as Json & {
      readonly description?: string;
    };
    const required = !(schema as z.ZodType).safeParse(undefined).success;
    return ApiQuery({ name, required, description, schema: form });
  });

const bodyOf = ({ schema, example, form }: NonNullable<RouteDefinition['body']>): MethodDecorator =>
  ApiBody({
    required: true,
    description:
      form === 'strict' ? 'Strict JSON, with any white space and any order of members.' : 'Canonical JSON (RFC 8785).',
    schema: referenceTo(schema),
    ...(example === undefined ? {} : { examples: { [componentName(schema)]: { value: example } } }),
  });

function answerOf(status: number, answer: RouteAnswer, { entityTag, family }: RouteDefinition): MethodDecorator {
  const { description, schema, example, mediaTypes = ['application/json'] } = answer;
  const headers = headersOf({
    ...answer.headers,
    ...headersOfFamily(family),
    ...(entityTag === undefined || status !== 200 ? {} : { ETag: entityTag }),
  });
  return ApiResponse({
    status,
    description,
    headers,
    content:
      schema === undefined
        ? Object.fromEntries(mediaTypes.map((type) => [type, {}]))
        : { 'application/json': { schema: referenceTo(schema), ...(example === undefined ? {} : { example }) } },
  });
}

const ALWAYS = {
  'X-Request-Id': 'Identifies this request. Include it when you contact support.',
  RateLimit: 'The remaining quota.',
  'RateLimit-Policy': 'The quota policy.',
};

/** Additional headers of errors by status. */
const OF_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'The authentication scheme: Bearer.' },
  405: { Allow: 'The methods that this path accepts.' },
  415: { Accept: 'The media type that the route accepts.' },
};

/** Returns the response headers of an answer, including those of every answer. */
const headersOf = (more: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries({ ...ALWAYS, ...more }).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );

/** Returns the header that names an answer's version. */
const headersOfFamily = ({ versions }: RouteFamily): Readonly<Record<string, string>> =>
  versions === undefined ? {} : { [versions.header]: 'The response version.' };

const versionHeader = ({ header, supported, byDefault }: ResponseVersions): MethodDecorator =>
  ApiHeader({
    name: header,
    required: false,
    description: `The response version. Defaults to ${byDefault}.`,
    schema: { type: 'string', enum: [...supported] },
  });

const NOT_MODIFIED = ApiResponse({
  status: 304,
  description: 'The bytes named by If-None-Match are current.',
  headers: headersOf({ ETag: 'SHA-256 of the bytes.' }),
});

/** Describes the errors by status, except for statuses that are regular answers of the route. */
function errorsOf({ family, allErrors, answers }: RouteDefinition): readonly MethodDecorator[] {
  const byStatus = new Map<number, ServedCode[]>();
  for (const code of allErrors) {
    const { status } = family.errors.entry(code);
    if (answers[status] === undefined) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => {
      const entries = codes.map((code) => ({ code, ...family.errors.entry(code) }));
      return ApiResponse({
        status,
        description: entries.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
        headers: headersOf({
          ...OF_STATUS[status],
          ...headersOfFamily(family),
          ...(entries.some(({ retryable }) => retryable)
            ? { 'Retry-After': 'Seconds to wait before the next request.' }
            : {}),
        }),
        content: errorContent(family.errors, codes),
      });
    });
}

/** Returns the error bodies, narrowed to the codes that a route can answer with, by media type. */
const errorContent = ({ forms }: ErrorContract, codes: readonly ServedCode[]) =>
  Object.fromEntries(
    forms.map(({ mediaType, schemas, narrowedTo, example }) => [
      mediaType,
      {
        schema: {
          allOf: [...schemas.map(referenceTo), narrowedTo(codes)],
        },
        ...(example === undefined || codes[0] === undefined ? {} : { example: example(codes[0]) }),
      },
    ]),
  );
