import { ERROR_CATALOGUE, type CatalogueEntry, type ErrorCode } from './catalogue.js';
import type { Finding } from './finding.js';

/**
 * Codes that custom launches and plans have beside those of `ERROR_CATALOGUE`. The multi-role API never answers one of
 * them, and these two families never answer a `MULTI_ROLE_…` code (docs/reference/custom-launch.md#own-codes).
 */
const OWN_CATALOGUE = {
  PROFILE_NOT_CURRENT: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'This deployment takes new requests of another profile; the server selects it.',
  },
  CHECKPOINT_STALE: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The checkpoint is not a block of the last 24 hours that both observers have; take one from readiness.',
  },
  FUNDING_PROFILE_MISMATCH: {
    status: 422,
    layer: 'funding',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The profile requires an atomic native initial buy.',
  },
  BUDGET_EXCEEDED: {
    status: 422,
    layer: 'funding',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The launch costs more than its own budget allows.',
  },
  CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE: {
    status: 422,
    layer: 'funding',
    retryable: false,
    action: 'correct_and_resubmit',
    message:
      'The initial buy is below the one-USD reference; change initializer value, funding allocation and total together.',
  },
  RUNTIME_OPCODE_FORBIDDEN: {
    status: 422,
    layer: 'source',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The runtime contains a forbidden instruction.',
  },
  RUNTIME_MODE_UNSUPPORTED: {
    status: 422,
    layer: 'source',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The runtime begins with an unsupported bytecode mode.',
  },
  CUSTOM_LAUNCH_EVIDENCE_REQUIRED: {
    status: 422,
    layer: 'economics',
    retryable: false,
    action: 'await_platform_coverage',
    message: 'The platform has no reviewed template or proof for this request yet.',
  },
  CUSTOM_LAUNCH_BINDINGS_REQUIRE_CORRECTION: {
    status: 422,
    layer: 'economics',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'Role, source, runtime, economics or funding bindings need correction.',
  },
  PLAN_NOT_FOUND: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'This credential lineage has no such plan or step.',
  },
  STEP_NOT_READY: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'The step was not offered to the wallet yet, so it cannot have a transaction.',
  },
  PROOF_LIMIT_REACHED: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'A step accepts at most 16 distinct transaction hashes.',
  },
  RESPONSE_VERSION_TOO_OLD: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The requested response version cannot show an Atomic plan.',
  },
  PREDECESSOR_MISMATCH: {
    status: 409,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'The predecessor is not an ended plan of this controller with that digest and without a successor.',
  },
  LAUNCH_GATES_CLOSED: {
    status: 503,
    layer: 'platform',
    retryable: false,
    action: 'wait',
    message: 'New preflights and creates are closed; discovery shows the gates. Reads and exact replays continue.',
  },
  INDEX_NOT_CURRENT: {
    status: 503,
    layer: 'platform',
    retryable: true,
    action: 'wait',
    message: 'The index has not reached the finalized head, so it cannot confirm that a record is absent.',
  },
  MODULE_INDEX_PENDING: {
    status: 503,
    layer: 'platform',
    retryable: true,
    action: 'wait',
    message: 'A provider has the token, but the index has not passed its block yet, or the providers differ.',
  },
  MODULE_STAMP_MISSING: {
    status: 404,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'Both providers have the token at the same finalized block, and no published router stamps it.',
  },
  CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED: {
    status: 503,
    layer: 'funding',
    retryable: true,
    action: 'retry_same_bytes',
    message: 'The server has no usable price of the native currency now; it reads its price feeds again.',
  },
} as const satisfies Record<string, CatalogueEntry>;

type OwnCode = keyof typeof OWN_CATALOGUE;
type MultiRoleCode = Extract<ErrorCode, `MULTI_ROLE_${string}`>;
type SharedCode = Exclude<ErrorCode, MultiRoleCode>;

/** Every code that a custom launch or a plan can have. */
export type CustomLaunchCode = OwnCode | SharedCode;

export const isCustomLaunchCode = (code: AnyCode): code is CustomLaunchCode => !code.startsWith('MULTI_ROLE_');

const isShared = (code: ErrorCode): code is SharedCode => !code.startsWith('MULTI_ROLE_');

export const CUSTOM_LAUNCH_CODES = [
  ...(Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter(isShared),
  ...(Object.keys(OWN_CATALOGUE) as OwnCode[]),
] as [CustomLaunchCode, ...CustomLaunchCode[]];

const ENTRIES: Readonly<Record<AnyCode, CatalogueEntry>> = { ...ERROR_CATALOGUE, ...OWN_CATALOGUE };
export const customLaunchEntry = (code: CustomLaunchCode): CatalogueEntry => ENTRIES[code];
/** Returns the catalogue entry of a code of any family. */
export const anyEntry = (code: AnyCode): CatalogueEntry => ENTRIES[code];
export const isAnyCode = (code: string): code is AnyCode => Object.hasOwn(ENTRIES, code);

/** The custom-launch name of each multi-role code that a shared rule found in a custom launch or a plan. */
const OWN_NAMES: Readonly<Record<MultiRoleCode, CustomLaunchCode>> = {
  MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN: 'RUNTIME_OPCODE_FORBIDDEN',
  MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED: 'RUNTIME_MODE_UNSUPPORTED',
  MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED: 'CUSTOM_LAUNCH_EVIDENCE_REQUIRED',
  MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION: 'CUSTOM_LAUNCH_BINDINGS_REQUIRE_CORRECTION',
  MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION: 'CUSTOM_LAUNCH_BINDINGS_REQUIRE_CORRECTION',
  MULTI_ROLE_EVIDENCE_REQUIRED: 'CUSTOM_LAUNCH_EVIDENCE_REQUIRED',
  MULTI_ROLE_ADMISSION_PENDING: 'SERVICE_UNAVAILABLE',
};

/**
 * Path prefixes of the shared rules, which use multi-role names, and the prefixes of custom-launch and plan bodies that
 * replace them.
 */
const OWN_PLACES: readonly (readonly [from: RegExp, to: string])[] = [
  [/^\/fundingPlan\/nativeLiquidityWei$/, '/funding/liquidityNativeWei'],
  [/^\/fundingPlan\//, '/funding/'],
  // The body has the hash of its context only.
  [/^\/context(\/.*)?$/, '/contextHash'],
];

export const customLaunchCodeOf = (code: ErrorCode): CustomLaunchCode => (isShared(code) ? code : OWN_NAMES[code]);

/** Converts a pointer of a shared rule to a pointer into a custom-launch or plan body. */
export function customLaunchPlaceOf(path: string): string {
  const place = OWN_PLACES.find(([from]) => from.test(path));
  return place === undefined ? path : path.replace(...place);
}

/** A finding of custom launches and plans. */
export type CustomLaunchFinding = Omit<Finding, 'code'> & { code: CustomLaunchCode };

/** A code of any family. */
export type AnyCode = ErrorCode | CustomLaunchCode;
export type AnyFinding = Finding | CustomLaunchFinding;
