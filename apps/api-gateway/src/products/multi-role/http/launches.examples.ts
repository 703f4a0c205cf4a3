import { CONTEXT_EXAMPLE } from '../../../core/context/context.example.js';

/** The calldata is cut after its first word. */
const WALLET = {
  artifactHash: '0x072d72f60cd114af302571ab836646f4d6404ebc96d1fe0c28cce0b7238fda83',
  contextHash: '0xf9d231a13b6cd6d0974502d11c1ce00baed1ffa6685248f53bacf20b750b58f1',
  createdAt: '2026-11-21T14:23:50.392Z',
  deadline: '1795274021',
  permitDigest: '0x6a73862f8f240efeffa206797a1dc8bb0c4fbec4d48f9a57471b65aa40264d2a',
  requestHash: '0x2fe9cb04851a9a2a6ef04acaed8793740d6aa7d662eccafb2be11128ad776087',
  requestSha256: 'sha256:e9cc4c2bbb9cf8b500d6ba051554a798c0888d913d49e9505ebb0c84e88cbc1d',
  schemaVersion: 'service.multi-role-wallet-handoff.v2',
  simulation: {
    blockHash: '0xc38f6193f2a1bbad661f063469afe6ebd5b7cd4e73c81789f9209595f257aa40',
    blockNumber: '4087',
    gasUsed: '3635225',
    simulatedAt: '2026-11-21T14:23:50.392Z',
  },
  validAfter: '1795271021',
  walletTransaction: {
    chainId: '4663',
    data: '0x0840e87000000000000000000000000000000000000000000000000000000000000001c0',
    from: '0xff71f1d3bcdba07357f7245c871c66b7f15e2fa3',
    to: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
    value: '10000000000000000',
  },
};

/** One launch of the development chains, as the service returned it. */
export const LAUNCH_EXAMPLE = {
  artifactHash: '0x072d72f60cd114af302571ab836646f4d6404ebc96d1fe0c28cce0b7238fda83',
  context: CONTEXT_EXAMPLE,
  contextHash: '0xf9d231a13b6cd6d0974502d11c1ce00baed1ffa6685248f53bacf20b750b58f1',
  createdAt: '2026-11-21T14:23:45.547Z',
  finality: {
    basis: null,
    checkpoint: null,
    estimatedNextStageAt: null,
    finalizedAt: null,
    inclusion: null,
    launchId: 'e8c13666-5a5f-47d1-b248-288eded6822e',
    observation: { at: '2026-11-21T14:23:50.834Z', reason: null, status: 'agreed' },
    posting: null,
    schemaVersion: 'service.multi-role-finality-status.v2',
    state: 'pending',
    transactionHash: null,
  },
  findings: [],
  idempotencyKey: 'mr-v2-e9cc4c2bbb9cf8b500d6ba051554a798c0888d913d49e9505ebb0c84e88cbc1d',
  launchId: 'e8c13666-5a5f-47d1-b248-288eded6822e',
  launchUrl: 'https://site.example/launches/e8c13666-5a5f-47d1-b248-288eded6822e',
  launchWallet: '0xff71f1d3bcdba07357f7245c871c66b7f15e2fa3',
  nonce: '1795271021',
  onchainLaunchId: '0x1b6b692d45c8012a08f7c6d9b86469111e9325297bac61f43353e5ffc0ed0623',
  permitWindow: { deadline: '1795274021', validAfter: '1795271021' },
  requestHash: '0x2fe9cb04851a9a2a6ef04acaed8793740d6aa7d662eccafb2be11128ad776087',
  requestSha256: 'sha256:e9cc4c2bbb9cf8b500d6ba051554a798c0888d913d49e9505ebb0c84e88cbc1d',
  schemaVersion: 'service.multi-role-launch-resource.v2',
  sourceAssessment: {
    disposition: 'source_supported',
    findingCodes: [],
    productionAuthority: false,
    receiptHash: 'sha256:b7fb625b3a8fec881e77c2eedaccf56ebe570ee9da86c880f3b5379f87512ff3',
    remediation: null,
    schemaVersion: 'service.multi-role-source-assessment.v2',
  },
  status: 'awaiting_wallet_signature',
  statusReason: null,
  statusUrl: '/v4/chains/4663/multi-role-custom-launches/e8c13666-5a5f-47d1-b248-288eded6822e',
  updatedAt: '2026-11-21T14:23:50.700Z',
  wallet: WALLET,
  walletUrl: 'https://site.example/wallet/launches/e8c13666-5a5f-47d1-b248-288eded6822e',
};

const { wallet: _wallet, ...LISTED } = LAUNCH_EXAMPLE;
export const LAUNCH_LIST_EXAMPLE = {
  items: [{ ...LISTED, schemaVersion: 'service.multi-role-launch-list-item.v2', handoffUrl: LAUNCH_EXAMPLE.statusUrl }],
  nextCursor: null,
  schemaVersion: 'service.multi-role-launch-list.v2',
};
