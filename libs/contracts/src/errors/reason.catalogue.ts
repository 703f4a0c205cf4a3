import type { RemediationAction } from './catalogue.js';

/** The members that have reasons, in the order of the reference. */
export const REASON_MEMBERS = [
  'statusReason',
  'warnings',
  'reasonCodes',
  'quality.reasons',
  'reasons',
  'quarantine.reason',
  'lastError.code',
] as const;
export type ReasonMember = (typeof REASON_MEMBERS)[number];

/** The remedy of each action, as a sentence to the client. */
export const ACTION_REMEDIES: Readonly<Record<RemediationAction, string>> = {
  correct_and_resubmit: 'Correct the request and send it under a new idempotency key.',
  retry_same_bytes: 'Repeat the same bytes with the same idempotency key.',
  wait: 'Wait for the time in Retry-After, then repeat the request.',
  await_platform_coverage: 'Wait for a reviewed template or verifier; no change of the request helps.',
  inspect_existing: 'Read the resource that exists.',
  contact_support: 'Quote the request id to the operator.',
};

const BY_OPERATOR = 'Wait; the operator of the deployment has to act.';
const READ_LATER = 'Wait and read again; the state changes without your action.';
const UNAVAILABLE = 'Do not launch through this release. Choose the release whose status is current.';
const PLAN_AGAIN = 'Wait: the reviewer attaches another plan.';
const NOT_LISTED = 'Do not list the launch. Report it to the operator if you expected it to be admitted.';

type Row = readonly [member: ReasonMember, message: string, remedy: string];

/**
 * Codes that bodies show as reasons: a launch that waits, a warning, a deployment or feed that is not ready, a withheld
 * launch, a build that ended (docs/reference/errors.md#reasons). Error codes can occur in the same members.
 */
export const REASON_CATALOGUE = {
  // A launch or plan that waits.
  AUTHORIZATION_CLOSED: [
    'statusReason',
    'The operator closed the gate publicAuthorization, so custody signs no permit now.',
    'Wait. The launch continues by itself once the gate opens, until its permit window ends.',
  ],
  CONTROLLER_FUNDS_MISSING: [
    'statusReason',
    'The controller does not hold the value of the launch and its gas bound.',
    'Send native currency to launchWallet before the permit window ends.',
  ],
  GAS_BUDGET_EXCEEDED: [
    'statusReason',
    'The launch costs more gas at the current fee than budgets.maxGasCostWei allows.',
    'Wait for lower fees, or sign knowingly above your budget. The hand-off does not change.',
  ],
  HEAD_SIMULATION_REVERTED: [
    'statusReason',
    'The exact transaction reverts at the newest block.',
    'Do not sign. Wait for another state of the chain, or submit a new request after the window ends.',
  ],
  ROUTER_NONCE_USED: [
    'statusReason',
    'The router already spent the nonce of the permit, so the transaction would revert.',
    'Do not sign. Search for your launch by its stamp, or submit a new request with another nonce.',
  ],
  DEADLINE_NEAR: [
    'statusReason',
    'Less than 300 seconds of the permit window are left.',
    'Sign now only if the transaction can be included in time; otherwise submit a new request.',
  ],
  // A preflight that passed.
  TX_SIMULATION_PENDING: [
    'warnings',
    'Preflight checked the request at its checkpoint and did not simulate the exact transaction.',
    'Create the launch with the same bytes; the service simulates the transaction before it shows a hand-off.',
  ],
  // A deployment, an operation or a read that is not available.
  CONTEXT_NOT_CONFIGURED: ['reasonCodes', 'The deployment has no context.', BY_OPERATOR],
  CONTEXT_NOT_CHECKED_YET: ['reasonCodes', 'The service has not compared its context with the chain yet.', READ_LATER],
  OBSERVERS_INDETERMINATE: ['reasonCodes', 'The observers of a chain disagree or do not answer.', READ_LATER],
  FINALITY_POLICY_UNKNOWN: ['reasonCodes', 'This release has no rule of finality for the context.', BY_OPERATOR],
  L2_OBSERVERS_NOT_IN_CONTEXT: [
    'reasonCodes',
    'An observer of chain 4663 is not one that the context names.',
    BY_OPERATOR,
  ],
  L1_OBSERVERS_NOT_IN_CONTEXT: [
    'reasonCodes',
    'An observer of Ethereum is not one that the context names.',
    BY_OPERATOR,
  ],
  L2_CHAIN_ID_MISMATCH: ['reasonCodes', 'An observer of chain 4663 serves another chain.', BY_OPERATOR],
  L1_CHAIN_ID_MISMATCH: ['reasonCodes', 'An observer of Ethereum serves another chain.', BY_OPERATOR],
  ROUTER_CODE_MISMATCH: ['reasonCodes', 'The router has other code than the context states.', BY_OPERATOR],
  POOL_MANAGER_CODE_MISMATCH: ['reasonCodes', 'The PoolManager has other code than the context states.', BY_OPERATOR],
  PRICE_FEED_CODE_MISMATCH: ['reasonCodes', 'A price feed has other code than the context states.', BY_OPERATOR],
  INSTRUCTION_POLICY_UNKNOWN: [
    'reasonCodes',
    'This release does not have the instruction policy of the context.',
    BY_OPERATOR,
  ],
  RECIPE_TEMPLATES_UNKNOWN: [
    'reasonCodes',
    'This release does not have the recipe templates of the context.',
    BY_OPERATOR,
  ],
  CONTEXT_BINDINGS_CONTRADICT: ['reasonCodes', 'Parts of the context contradict each other.', BY_OPERATOR],
  ROUTER_UNREVIEWED: ['reasonCodes', 'The router of the context was not reviewed for its policy.', BY_OPERATOR],
  ROUTER_RELABELLED: [
    'reasonCodes',
    'The router was reviewed for another policy than that of the context.',
    BY_OPERATOR,
  ],
  ROUTER_CODE_UNREVIEWED: ['reasonCodes', 'The router was reviewed with other code.', BY_OPERATOR],
  MACHINE_CONTRACT_MISMATCH: ['reasonCodes', 'The machine contract of the profile is not the frozen one.', BY_OPERATOR],
  PUBLIC_AUTHORIZATION_CLOSED: ['reasonCodes', 'The operator closed the gate of new permits.', BY_OPERATOR],
  PUBLIC_WRITES_CLOSED: ['reasonCodes', 'The operator closed the gate of new preflights and creates.', BY_OPERATOR],
  RELEASE_NOT_DECLARED_READY: ['reasonCodes', 'The operator has not opened the release.', BY_OPERATOR],
  CHECKPOINT_NOT_AGREED: ['reasonCodes', 'The observers agree on no block that a request could name.', READ_LATER],
  OPERATION_NOT_PROVIDED: [
    'reasonCodes',
    'This deployment does not serve the route.',
    'Use another operation; discovery lists what the deployment serves.',
  ],
  ADMISSION_WORKER_AWAY: ['reasonCodes', 'No worker judges requests now.', READ_LATER],
  GATEWAY_WORKER_AWAY: ['reasonCodes', 'No worker records the progress of launches now.', READ_LATER],
  PERMIT_CUSTODY_AWAY: ['reasonCodes', 'No custody signs permits now.', READ_LATER],
  FINALITY_WORKER_AWAY: ['reasonCodes', 'No worker observes the chains now.', READ_LATER],
  WORKERS_NOT_KNOWN: ['reasonCodes', 'The service cannot read which workers are running.', READ_LATER],
  RECOVERY_PAUSED: ['reasonCodes', 'The operator paused the search for launches without a hint.', BY_OPERATOR],
  RECOVERY_NEVER_REPORTED: ['reasonCodes', 'The search for launches has not reported yet.', READ_LATER],
  RECOVERY_SILENT: ['reasonCodes', 'The search for launches has not reported for too long.', READ_LATER],
  RECOVERY_INDETERMINATE: ['reasonCodes', 'The observers gave the search for launches no common answer.', READ_LATER],
  RECOVERY_BEHIND: ['reasonCodes', 'The search for launches has not reached the finalized head.', READ_LATER],
  // A feed whose pages are not complete.
  INDEX_UNREAD: ['quality.reasons', 'The gateway has not read an index yet.', READ_LATER],
  INDEX_STALE: ['quality.reasons', 'The last read of the index is too old, or the index does not advance.', READ_LATER],
  INDEX_INDETERMINATE: [
    'quality.reasons',
    'The index of a router has no checkpoint or is stopped; launches may be missing.',
    READ_LATER,
  ],
  INDEX_BEHIND: [
    'quality.reasons',
    'The index has fewer launches than were published, because it is being rebuilt.',
    READ_LATER,
  ],
  RECORDS_QUARANTINED: [
    'quality.reasons',
    'Records are withheld because they fail a check.',
    'Use the listed records; count the missing ones by quarantinedRowCount.',
  ],
  RECORDS_UNPUBLISHED: ['quality.reasons', 'Finalized launches are not published yet.', READ_LATER],
  // A Foundation release.
  RELEASE_DISABLED: ['reasons', 'The release was taken back.', UNAVAILABLE],
  NO_CODE: ['reasons', 'Both observers show no code at the factory.', UNAVAILABLE],
  RUNTIME_MISMATCH: ['reasons', 'The factory has other code than its binding states.', UNAVAILABLE],
  OBSERVER_WITHOUT_ANSWER: ['reasons', 'An observer did not answer.', READ_LATER],
  OBSERVERS_DISAGREE: ['reasons', 'The observers show different code at the factory.', READ_LATER],
  // A log that is no launch.
  RECEIPT_NOT_SUCCESSFUL: ['quarantine.reason', 'The transaction did not succeed.', NOT_LISTED],
  EVENT_UNDECODABLE: ['quarantine.reason', 'An event of the launch cannot be decoded.', NOT_LISTED],
  EVENT_MISSING: ['quarantine.reason', 'An event that the source requires is absent.', NOT_LISTED],
  EVENT_DUPLICATED: ['quarantine.reason', 'An event that must occur once occurs again.', NOT_LISTED],
  EVENT_OUT_OF_ORDER: ['quarantine.reason', 'The events are in another order than the source emits them.', NOT_LISTED],
  EVENT_MISMATCH: ['quarantine.reason', 'Two events of the launch contradict each other.', NOT_LISTED],
  SOURCE_RUNTIME_MISMATCH: ['quarantine.reason', 'The source had other code at the block of the launch.', NOT_LISTED],
  IDENTITY_VERSION_UNSUPPORTED: [
    'quarantine.reason',
    'The launch has an identity version that the source does not have.',
    NOT_LISTED,
  ],
  GETTER_REVERTED: ['quarantine.reason', 'A getter that the check reads reverts.', NOT_LISTED],
  GETTER_MISMATCH: ['quarantine.reason', 'A getter contradicts the event.', NOT_LISTED],
  RECIPE_MISMATCH: ['quarantine.reason', 'The launch does not follow the recipe that it names.', NOT_LISTED],
  PROGRAM_MISMATCH: ['quarantine.reason', 'The program of a module is not the bound one.', NOT_LISTED],
  LAUNCH_COMMITMENT_MISMATCH: [
    'quarantine.reason',
    'The launch id does not commit to the values of the launch.',
    NOT_LISTED,
  ],
  INSTANCE_COMMITMENT_MISMATCH: [
    'quarantine.reason',
    'A module instance does not commit to its configuration.',
    NOT_LISTED,
  ],
  METADATA_COMMITMENT_MISMATCH: [
    'quarantine.reason',
    'The metadata of the token do not have the bound commitment.',
    NOT_LISTED,
  ],
  COMPOSITION_MISMATCH: [
    'quarantine.reason',
    'The modules of the launch are not those that its events name.',
    NOT_LISTED,
  ],
  HOOK_MISMATCH: ['quarantine.reason', 'The hook of the pool is not that of the launch.', NOT_LISTED],
  POOL_KEY_MISMATCH: ['quarantine.reason', 'The pool id is not the hash of the pool key.', NOT_LISTED],
  FEE_OUT_OF_BOUNDS: ['quarantine.reason', 'A fee is outside the bounds of the source.', NOT_LISTED],
  CUSTODY_MISMATCH: ['quarantine.reason', 'The liquidity is not in the custody that the source requires.', NOT_LISTED],
  LAUNCH_KIND_UNKNOWN: ['quarantine.reason', 'The launch has a kind that the source does not have.', NOT_LISTED],
  STAMP_MISMATCH: ['quarantine.reason', 'The stamp of the router contradicts the launch.', NOT_LISTED],
  COMPONENT_PROOF_MISMATCH: ['quarantine.reason', 'The router does not prove a component of the launch.', NOT_LISTED],
  COMPONENT_CODE_MISMATCH: ['quarantine.reason', 'A component has other code than the launch states.', NOT_LISTED],
  TOKEN_CODE_MISMATCH: ['quarantine.reason', 'The token has other code than the source deploys.', NOT_LISTED],
  IDENTITY_ALREADY_TAKEN: ['quarantine.reason', 'Another launch already has this identity.', NOT_LISTED],
  EVIDENCE_UNREADABLE: [
    'quarantine.reason',
    'No check failed, but the evidence could not be read in full.',
    'Wait; the index reads the evidence again.',
  ],
  // A build of a module that ended without an artifact.
  COMPILER_TIMEOUT: [
    'lastError.code',
    "A compilation takes longer than the plan's limit.",
    'Simplify the sources and submit a new version.',
  ],
  COMPILER_OUT_OF_MEMORY: [
    'lastError.code',
    "A compilation takes more memory than the plan's limit.",
    'Simplify the sources and submit a new version.',
  ],
  TARGET_MISSING: ['lastError.code', 'The sources have no such contract.', PLAN_AGAIN],
  NON_REPRODUCIBLE: [
    'lastError.code',
    'Two compilations gave unequal artifacts.',
    'Report the submission to the operator.',
  ],
  JOB_ABANDONED: ['lastError.code', 'Three builders were lost over this plan.', PLAN_AGAIN],
} as const satisfies Readonly<Record<string, Row>>;

export type ReasonCode = keyof typeof REASON_CATALOGUE;
export const isReasonCode = (code: string): code is ReasonCode => Object.hasOwn(REASON_CATALOGUE, code);
