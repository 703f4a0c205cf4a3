import { ERROR_CATALOGUE, type CatalogueEntry, type ErrorCode } from './catalogue.js';
import { anyEntry, type AnyCode, type AnyFinding } from './custom-launch.catalogue.js';
import type { Finding } from './finding.js';
import { isReviewerOwnCode, REVIEWER_CATALOGUE, type ReviewerOwnCode } from './reviewer.catalogue.js';

/** Codes of the module routes alone (docs/reference/errors.md#module-codes). */
export const MODULE_CATALOGUE = {
  API_SCOPE_REQUIRED: {
    status: 403,
    layer: 'auth',
    retryable: false,
    action: 'contact_support',
    message: 'The route needs an active key with its module scopes.',
  },
  MODULE_AUTHOR_MISMATCH: {
    status: 403,
    layer: 'auth',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The author is not the wallet that owns the key.',
  },
  OPEN_ADDRESS: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'A wallet is not a nonzero EVM address.',
  },
  OPEN_SOURCE_HASH: {
    status: 422,
    layer: 'source',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The files differ from those that the descriptor pins.',
  },
  MODULE_FILE_HASH: {
    status: 422,
    layer: 'source',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The bytes of a file do not have the declared hash.',
  },
  MODULE_PATH_INVALID: {
    status: 422,
    layer: 'source',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'A path is not a plain relative path, or two paths collide.',
  },
  MODULE_LIMIT_EXCEEDED: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The package is larger than this deployment accepts; see capabilities.',
  },
  MODULE_IDEMPOTENCY_CONFLICT: {
    status: 409,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'This idempotency key is bound to other bytes.',
  },
  MODULE_PACKAGE_CONFLICT: {
    status: 409,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'This package was submitted under another key.',
  },
  MODULE_VERSION_ALREADY_SUBMITTED: {
    status: 409,
    layer: 'request',
    retryable: false,
    action: 'inspect_existing',
    message: 'This version of the family was submitted with other content; make a new version.',
  },
  MODULE_REVISION_LINEAGE_INVALID: {
    status: 422,
    layer: 'request',
    retryable: false,
    action: 'correct_and_resubmit',
    message: 'The predecessor is not another version of this author and family without a successor.',
  },
  MODULE_SUBMISSIONS_UNAVAILABLE: {
    status: 503,
    layer: 'platform',
    retryable: false,
    action: 'wait',
    message: 'This deployment accepts no new drafts; see capabilities. Reads and exact replays continue.',
  },
  MODULE_REVIEW_UNAVAILABLE: {
    status: 503,
    layer: 'platform',
    retryable: false,
    action: 'wait',
    message: 'The review service is not ready; keep the receipt.',
  },
  MODULE_REVIEW_JOB_UNAVAILABLE: {
    status: 503,
    layer: 'platform',
    retryable: false,
    action: 'contact_support',
    message: 'The review has no job for this draft, which is a fault of the service. Keep the receipt.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** A code that only the module routes return. */
export type ModuleOwnCode = keyof typeof MODULE_CATALOGUE;

type SharedCode = Exclude<
  ErrorCode,
  `MULTI_ROLE_${string}` | 'JSON_NOT_CANONICAL' | 'IDEMPOTENCY_CONFLICT' | 'INSUFFICIENT_SCOPE' | 'CHAIN_NOT_ALLOWED'
>;
const NOT_SHARED: readonly string[] = [
  'JSON_NOT_CANONICAL',
  'IDEMPOTENCY_CONFLICT',
  'INSUFFICIENT_SCOPE',
  'CHAIN_NOT_ALLOWED',
];
const isShared = (code: ErrorCode): code is SharedCode => !code.startsWith('MULTI_ROLE_') && !NOT_SHARED.includes(code);

/** Every code that a module route can return. */
export type ModuleCode = ModuleOwnCode | SharedCode;
export const MODULE_CODES = [
  ...(Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter(isShared),
  ...(Object.keys(MODULE_CATALOGUE) as ModuleOwnCode[]),
] as [ModuleCode, ...ModuleCode[]];

/** A finding of the module routes. */
export type ModuleFinding = Omit<Finding, 'code'> & { code: ModuleCode };

/** A code that any route of this service can return: of launches, modules or reviewers. */
export type ServedCode = AnyCode | ModuleOwnCode | ReviewerOwnCode;
export type ServedFinding =
  | AnyFinding
  | ModuleFinding
  | (Omit<Finding, 'code'> & { code: ModuleCode | ReviewerOwnCode });

const isModuleOwnCode = (code: ServedCode): code is ModuleOwnCode => Object.hasOwn(MODULE_CATALOGUE, code);

/** Returns the catalogue entry of a code of launches, modules or reviewer routes. */
export function servedEntry(code: ServedCode): CatalogueEntry {
  if (isModuleOwnCode(code)) return MODULE_CATALOGUE[code];
  return isReviewerOwnCode(code) ? REVIEWER_CATALOGUE[code] : anyEntry(code);
}

/** Narrows a served code to the codes of launches. @throws RangeError for a code of the module or reviewer routes. */
export function launchCode(code: ServedCode): AnyCode {
  if (isModuleOwnCode(code) || isReviewerOwnCode(code)) throw new RangeError(`${code} is no code of launches`);
  return code;
}
