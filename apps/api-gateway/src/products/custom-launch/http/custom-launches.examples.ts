const LAUNCH_ID = '6a1b2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3';
const STATUS_URL = `/v4/chains/4663/custom-launches/${LAUNCH_ID}`;
const REQUEST_SHA256 = 'sha256:5b0f4f0f6f0d8c1f5c0f5b7c5d1a9f3e7a2b6c8d0e1f2a3b4c5d6e7f8091a2b3';
const REQUEST_HASH = '0x3c1f5c0f5b7c5d1a9f3e7a2b6c8d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f70819';
const CHECKPOINT = {
  blockNumber: '4087',
  blockHash: '0xc38f6193f2a1bbad661f063469afe6ebd5b7cd4e73c81789f9209595f257aa40',
};

/** One launch right after its create. */
export const CUSTOM_LAUNCH_EXAMPLE = {
  schemaVersion: 'service.custom-launch-resource.v4',
  launchId: LAUNCH_ID,
  profile: '4.1.0',
  status: 'admitting',
  statusReason: null,
  launchWallet: '0xff71f1d3bcdba07357f7245c871c66b7f15e2fa3',
  requestSha256: REQUEST_SHA256,
  onchainLaunchId: '0x7f8091a2b3c4d5e6f708193c1f5c0f5b7c5d1a9f3e7a2b6c8d0e1f2a3b4c5d6e',
  createdAt: '2026-11-22T14:23:50.392Z',
  updatedAt: '2026-11-22T14:23:50.392Z',
  expiresAt: '2026-11-22T15:13:41.000Z',
  findings: [],
  budgets: { maxLaunchValueWei: '20000000000000000', maxGasCostWei: '5000000000000000' },
  handoff: null,
  transactions: [],
  finality: {
    stage: 'pending',
    l2Inclusion: null,
    l1Posting: null,
    l1FinalizedCheckpoint: null,
    estimatedNextStageAt: null,
    observation: null,
  },
  sourceVerification: {
    status: 'pending',
    components: [
      {
        componentId: 'token',
        account: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
        runtimeCodeHash: '0x8c1f5c0f5b7c5d1a9f3e7a2b6c8d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f70819',
        status: 'pending',
      },
    ],
  },
  publication: { status: 'not_published' },
  failure: null,
  links: { self: STATUS_URL, statusUrl: STATUS_URL },
  launchUrl: `https://site.example/launches/${LAUNCH_ID}`,
  walletUrl: null,
};

const { handoff: _handoff, ...LISTED } = CUSTOM_LAUNCH_EXAMPLE;
export const CUSTOM_LAUNCH_LIST_EXAMPLE = {
  schemaVersion: 'service.custom-launch-list.v4',
  items: [{ ...LISTED, schemaVersion: 'service.custom-launch-list-item.v4', handoffUrl: null }],
  nextCursor: null,
};

export const CUSTOM_LAUNCH_PREFLIGHT_EXAMPLE = {
  schemaVersion: 'service.custom-launch-v4-preflight.v1',
  requestSha256: REQUEST_SHA256,
  requestHash: REQUEST_HASH,
  classification: 'deployable',
  launchEligibility: { deployable: true, disposition: 'deployable', findings: [], remediation: [] },
  coverage: { seedV1: 'proof-available', scenarioIds: ['reviewed-native20-seed'] },
  checks: [
    { checkId: 'accepted-context', outcome: 'pass', dependsOn: [] },
    { checkId: 'economic-coverage', outcome: 'pass', dependsOn: [] },
    { checkId: 'nonce', outcome: 'pass', dependsOn: [] },
  ],
  budgets: { valueWei: '10000000000000000', gasUpperBoundWei: null, l1DataGasWei: null },
  checkpoint: CHECKPOINT,
  warnings: [{ code: 'TX_SIMULATION_PENDING' }],
  persisted: false,
};
