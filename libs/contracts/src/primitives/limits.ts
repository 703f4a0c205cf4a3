/** Numeric limits of launches. Bytes, seconds and counts (docs/reference/limits.md#launch-requests). */
export const LIMITS = {
  requestBytes: 16 * 1024 * 1024,
  hintBytes: 1024,
  idempotencyKeyPattern: /^[A-Za-z0-9._:-]{16,128}$/,
  permitWindowSeconds: 3_600,
  validAfterPastSeconds: 3_600,
  validAfterFutureSeconds: 60,
  deadlineLeadSeconds: 60,
  listMax: 25,
  ownerListDefault: 10,
  finalizedListDefault: 25,
  customLaunchFinalizedListDefault: 10,
  jsonDepth: 64,
  hintsPerLaunch: 16,
  findings: 256,
  /** All findings of one verdict. With the other members they fit into a workflow payload of 64 KiB. */
  verdictBytes: 32 * 1024,
  /** Files of a source bundle: entries of its manifest. */
  sourceFiles: 1_024,
  initCodeBytes: 49_152,
  runtimeCodeBytes: 24_576,
  clockSkewSeconds: 120,
} as const;

/** Default for the processor time of all compilation units of a request together, in seconds. */
export const COMPILE_BUDGET_SECONDS = 120;

/** The chain that this product serves. */
export const CHAIN_ID = 4663;
export const CAIP2 = 'eip155:4663';
export const CHAIN_DEPLOYMENT_ID = 'chain-mainnet-custom-launch-v1';
/** Path prefix of the routes of the chain. */
export const CHAIN_BASE_PATH = '/v4/chains/4663';
