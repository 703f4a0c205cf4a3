/* eslint-disable max-lines -- @nestjs/swagger takes these tables' place */
import {
  FINALITY_DISCOVERY_PATH,
  FINALITY_READINESS_PATH,
  FINALITY_ROUTES,
  MULTI_ROLE_BASE_PATH,
  catalogueEntry,
  type ErrorCode,
} from '@launch/contracts';
import type { Scope } from '../../accounts/credentials/caller.js';
import { PUBLISHABLE_FILES, type PublishableFile } from '../downloads/published-files.js';

const BASE = MULTI_ROLE_BASE_PATH;

export interface ParameterDoc {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface AnswerDoc {
  readonly status: number;
  readonly description: string;
  /** Component schema of the body; null for other media types. */
  readonly schema: string | null;
  readonly mediaTypes?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The sections, and what each is for. */
export const TAGS = {
  Discovery: 'What this deployment serves, and whether it is ready. Read first; no key.',
  Launches: 'From a packed request to finality. Needs a key; an owner sees its own launches only.',
  'Public feed': 'Finalized launches, for anybody.',
  Downloads: 'The guide and the programs, as original bytes under their digests.',
  Keys: 'A key for a wallet that signs in.',
  Operations: 'For those who run the service, and this description.',
} as const;
export type Tag = keyof typeof TAGS;

export interface RouteDoc {
  readonly method: 'get' | 'post';
  /** As OpenAPI writes paths: `{parameter}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly scopes: readonly Scope[] | null;
  readonly parameters: readonly ParameterDoc[];
  readonly requestSchema?: string;
  readonly answers: readonly AnswerDoc[];
  readonly errors: readonly ErrorCode[];
}

export const ANY: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'METHOD_NOT_ALLOWED',
  'HEADER_INVALID',
  'TARGET_TOO_LONG',
  'SERVICE_UNAVAILABLE',
  'INTERNAL',
];
export const NO_QUERY: readonly ErrorCode[] = ['QUERY_NOT_ALLOWED'];
const LIST: readonly ErrorCode[] = ['QUERY_INVALID', 'CURSOR_INVALID'];
const KEY: readonly ErrorCode[] = ['UNAUTHENTICATED', 'INSUFFICIENT_SCOPE', 'CHAIN_NOT_ALLOWED'];
export const BODY: readonly ErrorCode[] = ['REQUEST_TOO_LARGE', 'REQUEST_TIMEOUT', 'UNSUPPORTED_MEDIA_TYPE'];
export const BYTES: readonly ErrorCode[] = [
  'JSON_EMPTY',
  'JSON_SYNTAX',
  'JSON_INVALID_UTF8',
  'JSON_DUPLICATE_KEY',
  'JSON_DEPTH_EXCEEDED',
  'JSON_VALUES_EXCEEDED',
  'JSON_TRAILING_DATA',
  'JSON_NUMBER_RANGE',
  'JSON_NOT_CANONICAL',
  'SCHEMA_INVALID',
  'SCHEMA_UNKNOWN_FIELD',
];
const MEANING: readonly ErrorCode[] = [
  'WALLET_BINDING_MISMATCH',
  'CONTEXT_UNAVAILABLE',
  'CONTEXT_NOT_CURRENT',
  'CONTEXT_COMMITMENT_MISMATCH',
  'LAUNCH_INTENT_HASH_MISMATCH',
  'BEHAVIOR_INPUTS_HASH_MISMATCH',
  'IMAGE_INVALID',
  'IMAGE_MISMATCH',
  'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
  'FUNDING_TOTAL_MISMATCH',
  'FUNDING_INVALID',
  'NONCE_IN_USE',
];

const launchId: ParameterDoc = {
  name: 'launchId',
  in: 'path',
  required: true,
  description: 'The lowercase UUID from create or list.',
  schema: { type: 'string', format: 'uuid' },
};
const onchainLaunchId: ParameterDoc = {
  name: 'onchainLaunchId',
  in: 'path',
  required: true,
  description: "The router's 32-byte launch id, lowercase.",
  schema: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
};
const listParameters = (defaultLimit: number): readonly ParameterDoc[] => [
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Rows a page.',
    schema: { type: 'integer', minimum: 1, maximum: 25, default: defaultLimit },
  },
  {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'Opaque; `nextCursor` of the page before.',
    schema: { type: 'string', maxLength: 512 },
  },
];
export const json = (
  status: number,
  description: string,
  schema: string,
  headers?: Readonly<Record<string, string>>,
): AnswerDoc => ({
  status,
  description,
  schema,
  ...(headers === undefined ? {} : { headers }),
});
const IF_NONE_MATCH: ParameterDoc = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Entity tags that are held already; `*` for any.',
  schema: { type: 'string' },
};
const NOT_MODIFIED: AnswerDoc = {
  status: 304,
  description: 'The bytes named by If-None-Match are current.',
  schema: null,
  headers: { ETag: 'SHA-256 of the bytes.' },
};

/** Every route of this process, once: OpenAPI, the readable page and a test over the router are made from it. */
export const ROUTE_DOCS: readonly RouteDoc[] = [
  {
    method: 'get',
    path: `${BASE}/capabilities`,
    operationId: 'getCapabilities',
    tag: 'Discovery',
    scopes: null,
    parameters: [],
    summary: 'Context, routes and readiness',
    description:
      'Discovery first. An unregistered deployment answers 200 with `context: null`, `readiness.status: unavailable` and its reasons.',
    answers: [json(200, 'What this deployment serves.', 'Capabilities')],
    errors: [...NO_QUERY, ...ANY],
  },
  {
    method: 'post',
    path: `${BASE}/preflight`,
    operationId: 'preflight',
    tag: 'Launches',
    scopes: ['custom-launch:create'],
    parameters: [],
    summary: 'Judge a request without reserving anything',
    description:
      'The same bytes as create. Faults of form are errors; verdicts on source, opcodes, bindings and economics come as 200 with `source.disposition`. A supported launch that would revert on the chain as it stands has a finding `SIMULATION_REVERTED` of severity `warning`. Nothing is reserved, signed or kept.',
    requestSchema: 'CreateRequest',
    answers: [json(200, 'The source evaluation.', 'PreflightResult')],
    errors: [...KEY, ...NO_QUERY, ...BODY, ...BYTES, ...MEANING, 'PREFLIGHT_PENDING', ...ANY],
  },
  {
    method: 'post',
    path: BASE,
    operationId: 'createLaunch',
    tag: 'Launches',
    scopes: ['custom-launch:create'],
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: true,
        description: 'Binds these exact bytes for ever.',
        schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{16,128}$' },
      },
    ],
    summary: 'Reserve a launch',
    description:
      'Answers 202 as soon as the reservation is durable; admission goes on by itself. Repeating the same bytes under the same key answers from the record, whatever has become of its window or context.',
    requestSchema: 'CreateRequest',
    answers: [
      json(202, 'Reserved now.', 'LaunchResource', { Location: 'The status route.' }),
      json(200, 'An exact replay of an authorized or ended launch.', 'LaunchResource', {
        Location: 'The status route.',
        'Idempotency-Replayed': '`true`',
      }),
    ],
    errors: [
      ...KEY,
      ...NO_QUERY,
      ...BODY,
      'IDEMPOTENCY_KEY_REQUIRED',
      'IDEMPOTENCY_KEY_INVALID',
      'IDEMPOTENCY_CONFLICT',
      ...BYTES,
      ...MEANING,
      'MULTI_ROLE_ADMISSION_PENDING',
      'MULTI_ROLE_EVIDENCE_REQUIRED',
      'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN',
      'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED',
      ...ANY,
    ],
  },
  {
    method: 'get',
    path: BASE,
    operationId: 'listLaunches',
    tag: 'Launches',
    scopes: ['custom-launch:read'],
    parameters: listParameters(10),
    summary: "The owner's launches, newest first",
    description: "Only launches of the key's lineage and wallet.",
    answers: [json(200, 'A page.', 'LaunchList')],
    errors: [...KEY, ...LIST, ...ANY],
  },
  {
    method: 'get',
    path: `${BASE}/{launchId}`,
    operationId: 'getLaunch',
    tag: 'Launches',
    scopes: ['custom-launch:read'],
    parameters: [launchId],
    summary: 'One launch',
    description:
      'The resource with its stored source assessment, wallet hand-off and finality. Foreign and absent ids are the same 404.',
    answers: [json(200, 'The launch.', 'LaunchResource')],
    errors: [...KEY, ...NO_QUERY, 'NOT_FOUND', ...ANY],
  },
  {
    method: 'post',
    path: `${BASE}/{launchId}/transaction-hints`,
    operationId: 'registerTransactionHint',
    tag: 'Launches',
    scopes: ['custom-launch:create', 'custom-launch:read'],
    parameters: [launchId],
    summary: 'Name a transaction hash',
    description:
      'A discovery aid without authority: at most 16 distinct hashes a launch; 202 asserts neither inclusion nor finality.',
    requestSchema: 'TransactionHint',
    answers: [json(202, 'Registered, now or before.', 'TransactionHintReceipt', { Location: 'The finality route.' })],
    errors: [
      ...KEY,
      ...NO_QUERY,
      ...BODY,
      ...BYTES,
      'NOT_FOUND',
      'HINT_NOT_READY',
      'HINT_LIMIT_REACHED',
      'HINT_VERSION_MISMATCH',
      ...ANY,
    ],
  },
  {
    method: 'post',
    path: FINALITY_ROUTES.v3.transactionHint.path,
    operationId: 'registerTransactionHintV3',
    tag: 'Launches',
    scopes: ['custom-launch:create', 'custom-launch:read'],
    parameters: [launchId],
    summary: 'Name a transaction hash of a V3 launch',
    description:
      'For launches whose own context carries the V3 finality policy; the other generation is refused with `HINT_VERSION_MISMATCH`.',
    requestSchema: 'TransactionHintV3',
    answers: [json(202, 'Registered, now or before.', 'TransactionHintReceiptV3', { Location: 'The finality route.' })],
    errors: [
      ...KEY,
      ...NO_QUERY,
      ...BODY,
      ...BYTES,
      'NOT_FOUND',
      'HINT_NOT_READY',
      'HINT_LIMIT_REACHED',
      'HINT_VERSION_MISMATCH',
      ...ANY,
    ],
  },
  {
    method: 'get',
    path: `${BASE}/{launchId}/finality`,
    operationId: 'getFinality',
    tag: 'Launches',
    scopes: ['custom-launch:read'],
    parameters: [launchId],
    summary: 'The protected finality projection',
    description:
      '`pending`, `included` or `ethereum_finalized`; posting is evidence inside `included`. `estimatedNextStageAt` is later than the answer; `basis` is `rolling-p90`, `configured-expectation`, or `overdue` without a time.',
    answers: [json(200, 'The projection.', 'FinalityStatus')],
    errors: [...KEY, ...NO_QUERY, 'NOT_FOUND', ...ANY],
  },
  {
    method: 'get',
    path: FINALITY_ROUTES.v3.finality.path,
    operationId: 'getFinalityV3',
    tag: 'Launches',
    scopes: ['custom-launch:read'],
    parameters: [launchId],
    summary: 'The protected finality projection of a V3 launch',
    description: 'As V2, with a proof item for each derived contract. A launch of the other generation is 404 here.',
    answers: [json(200, 'The projection.', 'FinalityStatusV3')],
    errors: [...KEY, ...NO_QUERY, 'NOT_FOUND', ...ANY],
  },
  {
    method: 'get',
    path: `${BASE}/{launchId}/finality/evidence`,
    operationId: 'getFinalityEvidence',
    tag: 'Launches',
    scopes: ['custom-launch:read'],
    parameters: [launchId, IF_NONE_MATCH],
    summary: "The owner's evidence of finality",
    description:
      'What both observers of both chains answered, and the proofs that need none of them; the same bytes for ever, addressed by their SHA-256, for `launch-verify evidence` to check offline. 404 before the launch is finalized.',
    answers: [json(200, 'The bundle.', 'FinalityEvidence', { ETag: 'SHA-256 of the bytes.' }), NOT_MODIFIED],
    errors: [...KEY, ...NO_QUERY, 'NOT_FOUND', ...ANY],
  },
  {
    method: 'get',
    path: FINALITY_DISCOVERY_PATH,
    operationId: 'getFinalityDiscovery',
    tag: 'Discovery',
    scopes: null,
    parameters: [],
    summary: 'Finality generations: how one is selected, their routes and schemas',
    description:
      'The context of the original response selects: an absent marker is V2, a present one must be `selection.policyV3`, anything else is refused.',
    answers: [json(200, 'Both generations.', 'FinalityDiscovery')],
    errors: [...NO_QUERY, ...ANY],
  },
  {
    method: 'get',
    path: FINALITY_READINESS_PATH,
    operationId: 'getFinalityReadiness',
    tag: 'Discovery',
    scopes: null,
    parameters: [],
    summary: 'The recovery of launches that hints and observers missed',
    description: 'Its last checkpoint, its lag behind the finalized head and whether it works.',
    answers: [json(200, 'As it last reported.', 'FinalityReadiness')],
    errors: [...NO_QUERY, ...ANY],
  },
  ...feedRoutes('v2'),
  ...feedRoutes('v3'),
  ...PUBLISHABLE_FILES.map(download),
  operation('/healthz', 'getHealth', 'Whether the process runs', 'application/json'),
  operation('/readyz', 'getReadiness', 'Whether the process can work', 'application/json', [
    { status: 503, description: 'It cannot; the checks say why.', schema: null },
  ]),
  operation('/metrics', 'getMetrics', 'Prometheus metrics', 'text/plain'),
  description('/openapi.json', 'getOpenApi', 'This description', 'application/json'),
  description('/', 'getFrontPage', 'This description as a page', 'text/html'),
  description('/docs', 'getDocs', 'The same page', 'text/html'),
  description('/v4/errors', 'getErrors', 'The same page, where the `docs` of every finding point', 'text/html'),
];

function download({ name, entry, mediaType, summary }: PublishableFile): RouteDoc {
  return {
    method: 'get',
    path: `${BASE}/${name}`,
    operationId: `download${entry.charAt(0).toUpperCase()}${entry.slice(1)}`,
    tag: 'Downloads',
    scopes: null,
    parameters: [IF_NONE_MATCH],
    summary,
    description: `The original bytes; the digest stands in capabilities as \`documentation.${entry}.contentSha256\`. 404 when this deployment does not publish it.`,
    answers: [
      {
        status: 200,
        description: summary,
        schema: null,
        mediaTypes: [mediaType],
        headers: { ETag: '`sha256:` and the digest of the bytes.' },
      },
      NOT_MODIFIED,
    ],
    errors: [...NO_QUERY, 'NOT_FOUND', ...ANY],
  };
}

function operation(
  path: string,
  operationId: string,
  summary: string,
  mediaType: string,
  more: readonly AnswerDoc[] = [],
): RouteDoc {
  const documented = new Set(more.map(({ status }) => status));
  return {
    method: 'get',
    path,
    operationId,
    tag: 'Operations',
    scopes: null,
    parameters: [],
    summary,
    description: '',
    answers: [{ status: 200, description: summary, schema: null, mediaTypes: [mediaType] }, ...more],
    errors: [...NO_QUERY, ...ANY].filter((code) => !documented.has(catalogueEntry(code).status)),
  };
}

/** What describes the API is cacheable, as the downloads are. */
function description(path: string, operationId: string, summary: string, mediaType: string): RouteDoc {
  const [served] = operation(path, operationId, summary, mediaType).answers;
  return {
    ...operation(path, operationId, summary, mediaType),
    parameters: [IF_NONE_MATCH],
    answers: [{ ...served!, headers: { ETag: 'SHA-256 of the bytes.' } }, NOT_MODIFIED],
  };
}

/** The public feed of a finality generation: two of one form. */
function feedRoutes(generation: 'v2' | 'v3'): RouteDoc[] {
  const { feed } = FINALITY_ROUTES[generation];
  const suffix = generation === 'v3' ? 'V3' : '';
  return [
    {
      method: 'get',
      path: feed.list,
      operationId: `listFinalized${suffix}`,
      tag: 'Public feed',
      scopes: null,
      parameters: listParameters(25),
      summary: 'Finalized launches in the order of their publication',
      description: 'Append-only: nothing is ever inserted before a page that was read.',
      answers: [json(200, 'A page.', `FinalizedList${suffix}`)],
      errors: [...LIST, ...ANY],
    },
    {
      method: 'get',
      path: feed.record,
      operationId: `getFinalized${suffix}`,
      tag: 'Public feed',
      scopes: null,
      parameters: [onchainLaunchId, IF_NONE_MATCH],
      summary: 'One finalized launch',
      description: 'The published record, the same bytes for ever.',
      answers: [json(200, 'The record.', `FinalizedRecord${suffix}`, { ETag: 'SHA-256 of the bytes.' }), NOT_MODIFIED],
      errors: [...NO_QUERY, 'NOT_FOUND', ...ANY],
    },
    {
      method: 'get',
      path: feed.image,
      operationId: `getFinalizedImage${suffix}`,
      tag: 'Public feed',
      scopes: null,
      parameters: [
        onchainLaunchId,
        {
          name: 'sha256hex',
          in: 'path',
          required: true,
          description: 'SHA-256 of the image, as bare hex.',
          schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
        IF_NONE_MATCH,
      ],
      summary: 'The admitted image',
      description: 'Bound to its digest; another digest is 404.',
      answers: [
        {
          status: 200,
          description: 'The bytes as they were admitted.',
          schema: null,
          mediaTypes: ['image/png', 'image/gif'],
          headers: { ETag: 'SHA-256 of the bytes.' },
        },
        NOT_MODIFIED,
      ],
      errors: [...NO_QUERY, 'NOT_FOUND', ...ANY],
    },
  ];
}
