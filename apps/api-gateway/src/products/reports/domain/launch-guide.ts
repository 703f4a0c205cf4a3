import { CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import type { LaunchGuide } from '@launch/contracts/reports';
import type { ReportState } from './report-state.js';

type Step = LaunchGuide['workflow'][number];
type Outcome = NonNullable<Step['route']>['outcomes'][number];

const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;

interface Described {
  readonly stepId: string;
  readonly description: string;
  readonly route: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly needsKey: boolean;
    readonly outcomes: readonly Outcome[];
  } | null;
}

/** The steps of a launch, in order. */
const STEPS: readonly Described[] = [
  {
    stepId: 'read-readiness',
    description: 'Read the gates, the profile and a checkpoint. All three gates must be open.',
    route: {
      method: 'GET',
      path: `${CHAIN_BASE_PATH}/readiness`,
      needsKey: false,
      outcomes: [{ status: 200, meaning: 'The report; its status may be unavailable.' }],
    },
  },
  {
    stepId: 'read-capabilities',
    description: 'Read which scenarios are public and which proofs they require.',
    route: {
      method: 'GET',
      path: `${CHAIN_BASE_PATH}/capabilities`,
      needsKey: false,
      outcomes: [{ status: 200, meaning: 'The report; it authorizes no request.' }],
    },
  },
  { stepId: 'pack', description: 'Pack sources, graph, pool and funding into one immutable request.', route: null },
  {
    stepId: 'preflight',
    description: 'Preflight the exact request. The service does not store it.',
    route: {
      method: 'POST',
      path: `${LAUNCHES}/preflight`,
      needsKey: true,
      outcomes: [
        { status: 200, meaning: 'The classification, unsupported and needs_evidence among them.' },
        { status: 422, meaning: 'The request cannot be read as one of the profile.' },
        { status: 503, meaning: 'Not now. Retry the same bytes only if the answer says retryable.' },
      ],
    },
  },
  {
    stepId: 'create',
    description: 'Create the durable request with an Idempotency-Key.',
    route: {
      method: 'POST',
      path: LAUNCHES,
      needsKey: true,
      outcomes: [
        { status: 202, meaning: 'A new durable request; no wallet authorization yet.' },
        { status: 200, meaning: 'The exact replay of one.' },
        { status: 409, meaning: 'The key is bound to other bytes.' },
        { status: 503, meaning: 'Not now. Retry the same bytes and key only if the answer says retryable.' },
      ],
    },
  },
  {
    stepId: 'wait',
    description: 'Read the launch until it is authorized, and later until it is finalized.',
    route: {
      method: 'GET',
      path: `${LAUNCHES}/{launchId}`,
      needsKey: true,
      outcomes: [
        { status: 200, meaning: 'The launch as it is.' },
        { status: 404, meaning: 'No such launch for this key; a support request id names none.' },
      ],
    },
  },
  {
    stepId: 'sign-and-send',
    description:
      'The controller checks metadata, chain, sender, router, value, calldata and expiry of the hand-off, then signs and sends.',
    route: null,
  },
  {
    stepId: 'read-finalized',
    description: 'Read the published record of the finalized launch.',
    route: {
      method: 'GET',
      path: `${CHAIN_BASE_PATH}/finalized-custom-launches`,
      needsKey: false,
      outcomes: [{ status: 200, meaning: 'A page of finalized records.' }],
    },
  },
];

export const workflowSteps = (serves: ReportState['serves']): LaunchGuide['workflow'] =>
  STEPS.map(({ route, ...step }) => ({
    ...step,
    route:
      route === null ? null : { ...route, outcomes: [...route.outcomes], provided: serves(route.method, route.path) },
  }));

/** The recovery from each error (docs/reference/errors.md#actions). */
export const ERROR_RECOVERY: LaunchGuide['errorRecovery'] = [
  ['UNAUTHENTICATED', 'The key is missing, invalid or revoked.', 'Send a living key.'],
  ['INSUFFICIENT_SCOPE', 'The key lacks the scope of the route.', 'Use a key with that scope.'],
  ['CHAIN_NOT_ALLOWED', 'The key has no grant for chain 4663.', 'Ask the operator for the grant.'],
  ['WALLET_BINDING_MISMATCH', 'The key is bound to another wallet than launchWallet.', 'Use a key of that wallet.'],
  [
    'NOT_FOUND',
    'The launchId is wrong, of another chain or API version, or of another lineage; or the report is not provided.',
    'Use the launchId that create returned.',
  ],
  ['RATE_LIMITED', 'A quota is used up.', 'Wait as long as Retry-After says, then repeat the same bytes and key.'],
  ['503', 'A part is not available.', 'Repeat the same bytes and key only if the answer says retryable.'],
  [
    'IDEMPOTENCY_CONFLICT',
    'The key is bound to other bytes.',
    'Use a new key for a deliberate new request with newly validated bytes.',
  ],
  [
    'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
    'The permit window is outside its limits.',
    'Read the existing request first; then pack again with a fresh window and checkpoint.',
  ],
  [
    'PERMIT_EXPIRED',
    'The permit window has passed.',
    'Read the existing request first; then pack again. An expired hand-off is never used again.',
  ],
  [
    'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
    'The server has no fresh reference for one USD.',
    'Wait and retry; the server must read its own reference.',
  ],
  [
    'CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE',
    'The initial buy is below one USD.',
    'Change initializer value, funding and total together, pack again, send it to preflight.',
  ],
  [
    'findings of source, callbacks or evidence',
    'A named target is faulty, or the platform cannot prove it yet.',
    'Repair the target, or wait for the verifier. Scopes, test claims and uploaded proofs clear no finding.',
  ],
  [
    'any other code, 500, or an answer that cannot be read',
    'The cause is unknown.',
    'Report the public code, the HTTP status, the time in UTC and error.requestId.',
  ],
].map(([error = '', condition = '', handling = '']) => ({ error, condition, handling }));
