import {
  customLaunchErrorBodySchema,
  customLaunchFinalizedListSchema,
  customLaunchListSchema,
  customLaunchPreflightSchema,
  customLaunchRequestSchema,
  customLaunchRequest40Schema,
  customLaunchResourceSchema,
  type MachineContractVersion,
} from '@launch/contracts/custom-launch';
import { CHAIN_BASE_PATH, LIMITS } from '@launch/contracts/primitives';
import {
  INITIAL_BUY_QUOTE_PATH,
  initialBuyQuoteSchema,
  launchCapabilitiesSchema,
  launchCoverageSchema,
  launchGuideSchema,
  launchReadinessSchema,
  launchReportPath,
  type StateReport,
} from '@launch/contracts/reports';
import type { z } from 'zod';
import { ComponentSchemas } from '../../../platform/openapi/component-schemas.js';

type Json = Readonly<Record<string, unknown>>;

const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const LAUNCH_ID = { name: 'launchId', in: 'path', required: true, schema: { type: 'string' } };
const JSON_BODY = 'application/json';
const REQUESTS = { '4.0': customLaunchRequest40Schema, '4.1': customLaunchRequestSchema } as const;

const REPORTS: Readonly<Record<StateReport, readonly [id: string, schema: z.ZodType]>> = {
  'launch-coverage': ['getLaunchCoverage', launchCoverageSchema],
  'launch-guide': ['getLaunchGuide', launchGuideSchema],
  capabilities: ['getLaunchCapabilities', launchCapabilitiesSchema],
  readiness: ['getLaunchReadiness', launchReadinessSchema],
};

/**
 * Builds OpenAPI 3.1 of the custom-launch routes under one profile. Requests are closed; answers are open, so that
 * members and codes may be added. It is written once, to a file that never changes
 * (docs/reference/custom-launch.md#frozen-machine-contracts).
 */
export function machineContract(version: MachineContractVersion): Json {
  const requests = new ComponentSchemas();
  const answers = new ComponentSchemas();
  const ok = (description: string, schema: z.ZodType): Json => ({
    description,
    content: { [JSON_BODY]: answers.refer(schema) },
  });
  const refused = (...statuses: readonly number[]): Json =>
    Object.fromEntries(statuses.map((status) => [status, ok(REFUSALS[status]!, customLaunchErrorBodySchema)]));
  const body = { required: true, content: { [JSON_BODY]: requests.refer(REQUESTS[version]) } };
  const withKey = { security: [{ apiKey: [] }] };
  const paths: Record<string, Json> = {
    [`${LAUNCHES}/preflight`]: {
      post: {
        operationId: 'preflightCustomLaunch',
        ...withKey,
        requestBody: body,
        responses: {
          200: ok('The classification; nothing is stored.', customLaunchPreflightSchema),
          ...refused(400, 401, 403, 413, 415, 422, 429, 503),
        },
      },
    },
    [LAUNCHES]: {
      post: {
        operationId: 'createCustomLaunch',
        ...withKey,
        parameters: [IDEMPOTENCY_KEY],
        requestBody: body,
        responses: {
          200: ok('The exact replay of a request.', customLaunchResourceSchema),
          202: ok('A new durable request; no wallet authorization.', customLaunchResourceSchema),
          ...refused(400, 401, 403, 409, 413, 415, 422, 429, 503),
        },
      },
      get: {
        operationId: 'listCustomLaunches',
        ...withKey,
        parameters: PAGE,
        responses: { 200: ok('Newest first.', customLaunchListSchema), ...refused(400, 401, 403, 429, 503) },
      },
    },
    [`${LAUNCHES}/{launchId}`]: {
      get: {
        operationId: 'getCustomLaunch',
        ...withKey,
        parameters: [LAUNCH_ID],
        responses: { 200: ok('The launch.', customLaunchResourceSchema), ...refused(401, 403, 404, 429, 503) },
      },
    },
    [`${LAUNCHES}/{launchId}/request`]: {
      get: {
        operationId: 'getCustomLaunchRequest',
        ...withKey,
        parameters: [LAUNCH_ID],
        responses: {
          200: { description: 'The request, byte for byte.', content: { [JSON_BODY]: {} } },
          304: { description: 'The bytes that If-None-Match names.' },
          ...refused(401, 403, 404, 429, 503),
        },
      },
    },
    [`${CHAIN_BASE_PATH}/finalized-custom-launches`]: {
      get: {
        operationId: 'listFinalizedCustomLaunches',
        security: [],
        parameters: PAGE,
        responses: { 200: ok('Published records.', customLaunchFinalizedListSchema), ...refused(400, 429, 503) },
      },
    },
    [INITIAL_BUY_QUOTE_PATH]: {
      get: {
        operationId: 'getInitialBuyQuote',
        security: [],
        responses: { 200: ok('Advice.', initialBuyQuoteSchema), ...refused(400, 404, 429, 503) },
      },
    },
  };
  for (const [report, [operationId, schema]] of Object.entries(REPORTS) as [StateReport, [string, z.ZodType]][])
    paths[launchReportPath(report)] = {
      get: {
        operationId,
        security: [],
        responses: { 200: ok('The report; it authorizes nothing.', schema), ...refused(400, 404, 429, 503) },
      },
    };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Custom Launch API, V4 routes',
      version: `${version}.0`,
      description:
        'Frozen: these bytes never change. Requests are closed. Answers may have further members, and codes that are not listed here.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: { ...opened(answers.all()), ...requests.all() },
    },
  };
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The query, a header or the bytes cannot be read.',
  401: 'The key is missing, invalid or revoked.',
  403: 'The key lacks the scope, the chain or the wallet.',
  404: 'Nothing of that name for this caller.',
  409: 'The key is bound to other bytes, or the nonce is in use.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The request cannot be taken; every finding stands in the body.',
  429: 'A quota is used up; see Retry-After.',
  503: 'Not now; `retryable` says whether the same bytes may be sent again.',
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', pattern: LIMITS.idempotencyKeyPattern.source },
};
const PAGE = [
  {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: LIMITS.listMax, default: LIMITS.ownerListDefault },
  },
  { name: 'cursor', in: 'query', schema: { type: 'string', minLength: 1 } },
];

/** Opens the schemas of answers, so that later additions are valid: no object and no list of codes is closed. */
function opened<T>(value: T): T {
  if (Array.isArray(value)) return value.map(opened) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name, member]) => !(name === 'additionalProperties' && member === false))
    .map(([name, member]) => [name, name === 'code' && isCodeList(member) ? { type: 'string' } : opened(member)]);
  return Object.fromEntries(entries) as T;
}

const isCodeList = (member: unknown): boolean => typeof member === 'object' && member !== null && 'enum' in member;
