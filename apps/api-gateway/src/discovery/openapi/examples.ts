/* eslint-disable max-lines -- @nestjs/swagger takes these tables' place */
import { catalogueEntry, type ErrorBody, type ErrorCode } from '@launch/contracts';

// One launch of the development chains, as the service answered for it; the calldata is cut after its first word.

const INSTRUCTION_POLICY = {
  document: {
    afterTerminator: 'unreachable-until-valid-jumpdest',
    declaredDataRanges: 'none',
    emptyRuntime: 'refused',
    entryPoints: ['program-counter-zero', 'valid-jumpdest'],
    forbidden: [
      { mnemonic: 'CREATE', opcode: '0xf0' },
      { mnemonic: 'CALLCODE', opcode: '0xf2' },
      { mnemonic: 'DELEGATECALL', opcode: '0xf4' },
      { mnemonic: 'CREATE2', opcode: '0xf5' },
      { mnemonic: 'SELFDESTRUCT', opcode: '0xff' },
    ],
    id: 'service.runtime-instructions.reachable.v1',
    metadata: 'counted',
    pushImmediates: 'skipped',
    schemaVersion: 'service.runtime-instruction-policy-document.v1',
    scope: 'reachable',
    terminators: [
      { mnemonic: 'STOP', opcode: '0x00' },
      { mnemonic: 'JUMP', opcode: '0x56' },
      { mnemonic: 'RETURN', opcode: '0xf3' },
      { mnemonic: 'REVERT', opcode: '0xfd' },
      { mnemonic: 'INVALID', opcode: '0xfe' },
    ],
    unknownInstructions: 'fall-through',
    unsupportedPrefixes: ['0xef'],
  },
  id: 'service.runtime-instructions.reachable.v1',
  policyHash: '0x400579abce059a5a37989bc25f8cae771ac1e87fb7c132b5de97d256f5ba76d2',
};

const CONTEXT = {
  caip2: 'eip155:4663',
  chainBindings: {
    permitAuthorities: ['0x6048941214d6d7b930c5a5e6a922fb6b89a29cf9'],
    platformFeeRecipient: '0xc1537fb919f2c934509a6d0f1c0175c1541d050a',
    poolManager: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
    router: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
  },
  chainDeployment: {
    bridge: '0x4ed37b30b41db43d669d955c82384b8abd5e7865',
    genesisBlock: '0',
    nodeInterface: '0x00000000000000000000000000000000000000c8',
    poolManager: {
      address: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
      runtimeCodeHash: '0x87d2483ce1000927b5e6679fcb4018e839c3cd09ef45f74018e7eea65607f408',
    },
    router: {
      address: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
      runtimeCodeHash: '0x811d3cd7fdcb312eb6581043657a485792243f10eba2d699b63402bd7ba76200',
    },
    sequencerInbox: '0x81d9c56c7968480cc64ccf883dc2a8467fc16aab',
  },
  chainDeploymentId: 'chain-mainnet-custom-launch-v1',
  chainId: '4663',
  profile: {
    compilerVersions: ['0.8.24', '0.8.26', '0.8.28', '0.8.30'],
    instructionPolicy: INSTRUCTION_POLICY,
    limits: {
      initCodeBytes: 49152,
      permitWindowSeconds: 3600,
      requestBytes: 16777216,
      runtimeCodeBytes: 24576,
      transactionBytes: 95000,
    },
    profileId: 'development-reachable',
    recipes: [
      {
        id: 'native20.combined',
        templateSetHash: '0xe0003b6360920570b8f11e9ce173f7c18c95b92754b7ac056ec0ebdac25df3f8',
        version: '1',
      },
      {
        id: 'inventory.funded',
        templateSetHash: '0xab2893df52820ed98c9fcb92934ae3579608dd3953cb3fe665e615ee224b8aa6',
        version: '3',
      },
    ],
    runtimeRelease: {
      schemaVersion: 'service.multi-role-runtime-release-instance.v2',
      sourceCommit: 'bc2bd161ffb5114bab2e4a9127f64da0ff0211ea',
      sourceTree: 'be130e080dfc732c83f27677531d736a12b213f4',
    },
    schemaVersion: 'service.multi-role-launch-profile.v2',
  },
  providerProfile: {
    finalityPolicyId: 'service.ethereum-finality.v1',
    l1Observers: [
      { id: 'l1-a', originCommitment: '0x2b962a127f79bf7e5301bbc98a59cb43478a7a2ffac342ebf6c0cb868a6e7489' },
      { id: 'l1-b', originCommitment: '0xb7f03aec5580ab7835c1e9d300175e33fc291a45bca3b38d7b6b3880fc5a7ed0' },
    ],
    l2Observers: [
      { id: 'l2-a', originCommitment: '0xea6189dbf2b7974aa919d8bd494b1257272bc226f8a3c32de8c19924b952ec0b' },
      { id: 'l2-b', originCommitment: '0xb07161699438d28bd093539743c88e31de398cb3140a8cf2efb3627a114eed33' },
    ],
  },
};

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

const RESOURCE = {
  artifactHash: '0x072d72f60cd114af302571ab836646f4d6404ebc96d1fe0c28cce0b7238fda83',
  context: CONTEXT,
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
};

const FINALITY = {
  basis: null,
  checkpoint: {
    blockHash: '0x2c83aed396ecdb34d3e76e8dfb379155e9b5f38f0688493ee3938a31a98ef3e3',
    blockNumber: '1103',
    common: '1103',
    epoch: null,
    observers: [
      {
        id: 'l1-a',
        observedAt: '2026-11-21T14:24:06.333Z',
        responseSha256: 'sha256:f0605c7f8be63758847ade3ca3c268bc3c99545d66cca484c9a0deba4ae83b27',
      },
      {
        id: 'l1-b',
        observedAt: '2026-11-21T14:24:06.337Z',
        responseSha256: 'sha256:f0605c7f8be63758847ade3ca3c268bc3c99545d66cca484c9a0deba4ae83b27',
      },
    ],
  },
  estimatedNextStageAt: null,
  finalizedAt: '2026-11-21T14:24:06.868Z',
  inclusion: {
    blockHash: '0xa25648bd63a812778af9cafecfb63cd6ac50a0b1909dbafabbf3e6fac522715c',
    blockNumber: '4112',
    logsSha256: 'sha256:9a8f0791c3350a9881243182fbf9faa2060dcc7e6382ecbbd084b7599b0d3dbd',
    observers: [
      {
        id: 'l2-a',
        observedAt: '2026-11-21T14:23:55.396Z',
        responseSha256: 'sha256:21732ea2c1e739e9100a47aa4687e1221cda396d16d48aee4c652c3ae64ef048',
      },
      {
        id: 'l2-b',
        observedAt: '2026-11-21T14:23:55.424Z',
        responseSha256: 'sha256:21732ea2c1e739e9100a47aa4687e1221cda396d16d48aee4c652c3ae64ef048',
      },
    ],
    receiptStatus: 'success',
    transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
    transactionIndex: 0,
  },
  launchId: 'e8c13666-5a5f-47d1-b248-288eded6822e',
  observation: { at: '2026-11-21T14:24:06.868Z', reason: null, status: 'agreed' },
  posting: {
    afterAcc: '0xfbb6d67a43a058177f376648a1cf994f4e417f1f56b75e2a0a81e2276e5f3ad2',
    batchNumber: '490',
    batchTransactionHash: '0xd39623359e3e7962d7acdc80906ab935817b396c9af70755bc2b3293a643aff2',
    firstL2Block: '4109',
    l1BlockHash: '0xbed3fb2f48bb80ce3011f4568e12558860bb592221da324446b90fff266b30cd',
    l1BlockNumber: '1102',
    lastL2Block: '4116',
    logIndex: 0,
    observers: [
      {
        id: 'l1-a',
        observedAt: '2026-11-21T14:23:55.919Z',
        responseSha256: 'sha256:5cd2eab8e759274405ec8ab1bb517d5b9a2b619720accc8d409170d50dabb4e3',
      },
      {
        id: 'l1-b',
        observedAt: '2026-11-21T14:23:55.923Z',
        responseSha256: 'sha256:5cd2eab8e759274405ec8ab1bb517d5b9a2b619720accc8d409170d50dabb4e3',
      },
    ],
    sequencerInbox: '0x81d9c56c7968480cc64ccf883dc2a8467fc16aab',
  },
  schemaVersion: 'service.multi-role-finality-status.v2',
  state: 'ethereum_finalized',
  transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
};

const RECORD = {
  apiLaunchId: 'c49be953-8a02-49ca-a1bb-223fe3b3032b',
  caip2: 'eip155:4663',
  chainBindings: {
    permitAuthorities: ['0x6048941214d6d7b930c5a5e6a922fb6b89a29cf9'],
    platformFeeRecipient: '0xc1537fb919f2c934509a6d0f1c0175c1541d050a',
    poolManager: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
    router: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
  },
  components: [
    {
      account: '0x4f10ef2c59bde36a4497b31ac6a991e537a2aacc',
      resultIndex: 0,
      roleMask: 3,
      runtimeCodeHash: '0x5a64412e47cda8d31fb6e3b38d1994a7da90bf5526d7de7f6e6ce0bdb1b2cffd',
      scope: 0,
    },
    {
      account: '0x45fd9e3c4c16ee0128ca52d9cc93690284781036',
      resultIndex: 0,
      roleMask: 16,
      runtimeCodeHash: '0xbbfcea4a0b69d44022f8165de18122c5ba58720169b15c0561ef683136a8935c',
      scope: 1,
    },
    {
      account: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
      resultIndex: 0,
      roleMask: 0,
      runtimeCodeHash: '0x87d2483ce1000927b5e6679fcb4018e839c3cd09ef45f74018e7eea65607f408',
      scope: 2,
    },
  ],
  ethereum: {
    finalized: { blockHash: '0xc10b959d8b32bbf3fb7fabe70a72461fd2f1ee0012f0e47c9d4bfead53c27628', blockNumber: '108' },
    posting: {
      batchNumber: '50',
      batchTransactionHash: '0x68e67831ba2054d053c8416794ab9548c99804938fb37adb09186daa6c9b291e',
      l1BlockHash: '0xc10b959d8b32bbf3fb7fabe70a72461fd2f1ee0012f0e47c9d4bfead53c27628',
      l1BlockNumber: '108',
      sequencerInbox: '0x81d9c56c7968480cc64ccf883dc2a8467fc16aab',
    },
  },
  finalizedAt: '2026-11-21T13:50:24.965Z',
  image: {
    byteLength: 1180,
    height: 64,
    mediaType: 'image/png',
    path: '/v4/chains/4663/multi-role-custom-launches/finalized/0xb92c6edcfc934981056eeb5a2943a08eca40ab6ac0b3a7ade9b08c384c17c367/image/ed2a9e7449349411e6c6c27b6b402479c09e3385bacbd6db4720d91c1c8f5aa9',
    sha256: 'sha256:ed2a9e7449349411e6c6c27b6b402479c09e3385bacbd6db4720d91c1c8f5aa9',
    width: 64,
  },
  indexerPublication: 'not_claimed',
  market: {
    hook: '0x4f10ef2c59bde36a4497b31ac6a991e537a2aacc',
    poolId: '0x4f2a3e5cc1b9857546f99ac11b9675b2f70fccbdc38a71c9bf710b5f2cb076d6',
    poolKey: {
      currency0: '0x0000000000000000000000000000000000000000',
      currency1: '0x4f10ef2c59bde36a4497b31ac6a991e537a2aacc',
      fee: 0,
      hooks: '0x4f10ef2c59bde36a4497b31ac6a991e537a2aacc',
      tickSpacing: 60,
    },
    poolManager: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
    sqrtPriceX96: '791647387308859959733601586197955',
    token: '0x4f10ef2c59bde36a4497b31ac6a991e537a2aacc',
  },
  onchainLaunchId: '0xb92c6edcfc934981056eeb5a2943a08eca40ab6ac0b3a7ade9b08c384c17c367',
  projectMetadata: {
    description:
      'The combined reference project: a fixed-supply token that is its own pool hook, seeded once with its whole supply.',
    image: {
      byteLength: 1180,
      height: 64,
      mediaType: 'image/png',
      sha256: 'sha256:ed2a9e7449349411e6c6c27b6b402479c09e3385bacbd6db4720d91c1c8f5aa9',
      width: 64,
    },
    links: [{ label: 'Website', url: 'https://native20.example/' }],
    name: 'My First Launch',
    symbol: 'MFL',
  },
  provenance: {
    artifactHash: '0xb8a091198e3637528898ec88febe76cbf6d94a760a56c8983441d12b7251003a',
    contextHash: '0x0dd1f4dcfce25b0edf604fa015f4f206f5dc8fca205615943f302caad88893ac',
    economicsHash: '0x654f8cbad77d9534541fa70f6d75f2d3d2928cdb790659f98cb10b6ccf814eac',
    graphHash: '0x1de1dac76096f6b94aeb27bee340a2a37d774c5348084f32f875170043b46d75',
    instructionPolicyHash: '0x400579abce059a5a37989bc25f8cae771ac1e87fb7c132b5de97d256f5ba76d2',
    l2Block: { hash: '0x84f3673122c3407f67797f0a50faff7ace311270db9a3385aa2ef8c6021bc859', number: '415' },
    requestHash: '0x132044178d492757a7a752bf979cee7795044eadad51af4cc7378c766d2e2406',
    transactionHash: '0xaaf5a5907b84e5b5e23947b15312e87460fa1a0c13af0c3596c2ccb6ffbfa636',
  },
  schemaVersion: 'service.multi-role-finalized-metadata.v2',
  sourcePublication: { blockExplorer: 'not_verified', sourcify: 'not_verified' },
};

const PACKER = {
  contentSha256: 'sha256:5b5fbb121c861707501208eedddaf0cb4651edfe2eba8424e26eaefe8ba70928',
  mediaType: 'text/javascript; charset=utf-8',
  path: '/v4/chains/4663/multi-role-custom-launches/request-packer.mjs',
};

const REFERENCE = {
  contentSha256: 'sha256:eb9d8231569d11473afa36c0f10c7306e9d19c5f4a59172ab947a487467cdb38',
  mediaType: 'application/json; charset=utf-8',
  path: '/v4/chains/4663/multi-role-custom-launches/request-packer-reference.json',
};

const BUILD_MANIFEST = {
  contentSha256: 'sha256:4fb8c8214102f550a1f204f2fe8d13426e9ca8e9b29ae5160e9f71dccaf0ded8',
  mediaType: 'application/json; charset=utf-8',
  path: '/v4/chains/4663/multi-role-custom-launches/request-packer-build.json',
};

/** What a body looks like, by the name of its schema; a test holds each to it. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Capabilities: {
    context: CONTEXT,
    contextCommitments: {
      chainBindingsHash: '0x43775549d6eddb39e4129ced517f339d8f9b69df257cdcd196211958d8a74763',
      chainDeploymentHash: '0x0754b241ba0442195ec0dcf4c527e9cae6b7e7288899555743fe4af04cfcf7b7',
      contextHash: '0xf9d231a13b6cd6d0974502d11c1ce00baed1ffa6685248f53bacf20b750b58f1',
      instructionPolicyHash: '0x400579abce059a5a37989bc25f8cae771ac1e87fb7c132b5de97d256f5ba76d2',
      profileHash: '0x28ad5ab5b3159b139b5b7487449759fd5947cfeb8e56c3405401a43e68a0300f',
      providerProfileHash: '0x04e960a2c7ad746ada15d2868a2e3758b07e3a3eb7e89b9051f16f4375306191',
    },
    documentation: {
      guide: {
        contentSha256: 'sha256:c7ef1e00b5f28fadc37b47107fd931fc5eff2964ef844649c799167a1a22c778',
        mediaType: 'text/markdown; charset=utf-8',
        path: '/v4/chains/4663/multi-role-custom-launches/guide.md',
      },
      client: {
        contentSha256: 'sha256:f9e15d41131ee1c1e645a54b502611619fe86fe8d30a1511210b16f82d05d3b4',
        mediaType: 'text/javascript; charset=utf-8',
        path: '/v4/chains/4663/multi-role-custom-launches/client.mjs',
      },
      packer: PACKER,
      reference: REFERENCE,
      buildManifest: BUILD_MANIFEST,
      requestPackaging: { status: 'published', packer: PACKER, reference: REFERENCE, buildManifest: BUILD_MANIFEST },
    },
    readiness: { checkedAt: '2026-11-21T14:23:14.069Z', reasonCodes: [], status: 'ready' },
    routes: {
      capabilities: '/v4/chains/4663/multi-role-custom-launches/capabilities',
      create: '/v4/chains/4663/multi-role-custom-launches',
      finality: '/v4/chains/4663/multi-role-custom-launches/{launchId}/finality',
      finalityDiscovery: '/v4/chains/4663/multi-role-custom-launches/derived-finality-v3/discovery',
      finalized: '/v4/chains/4663/multi-role-custom-launches/finalized',
      finalizedImage: '/v4/chains/4663/multi-role-custom-launches/finalized/{onchainLaunchId}/image/{sha256hex}',
      finalizedLaunch: '/v4/chains/4663/multi-role-custom-launches/finalized/{onchainLaunchId}',
      launch: '/v4/chains/4663/multi-role-custom-launches/{launchId}',
      list: '/v4/chains/4663/multi-role-custom-launches',
      preflight: '/v4/chains/4663/multi-role-custom-launches/preflight',
      transactionHints: '/v4/chains/4663/multi-role-custom-launches/{launchId}/transaction-hints',
    },
    runtimeInstructionPolicy: INSTRUCTION_POLICY,
    routeId: 'custom-launch:create:multi-role-v2',
    routerProtocol: 'service.multi-role-launch-stamp-router.v2',
    schemaVersion: 'service.multi-role-launch-capabilities.v2',
  },
  PreflightResult: {
    findings: [],
    permitSigned: false,
    readiness: 'independent-admission-required',
    requestHash: '0x2fe9cb04851a9a2a6ef04acaed8793740d6aa7d662eccafb2be11128ad776087',
    requestSha256: 'sha256:e9cc4c2bbb9cf8b500d6ba051554a798c0888d913d49e9505ebb0c84e88cbc1d',
    schemaVersion: 'service.multi-role-custom-launch-preflight.v2',
    source: {
      disposition: 'source_supported',
      findingCodes: [],
      receipt: {
        contextHash: '0xf9d231a13b6cd6d0974502d11c1ce00baed1ffa6685248f53bacf20b750b58f1',
        economicsHash: '0xa3b3d7a099015001c473eb03049bc4da410c612566caafa1d4adc56e109f71cb',
        kind: 'preflight',
        receiptHash: 'sha256:a4d606d2461e573a30c81825a13c60aeeaa39772c17344aa383ab5fff2f289b7',
        requestHash: '0x2fe9cb04851a9a2a6ef04acaed8793740d6aa7d662eccafb2be11128ad776087',
      },
      remediation: null,
    },
    transactionBroadcast: false,
    walletTransactionProduced: false,
  },
  LaunchResource: RESOURCE,
  LaunchList: { items: [RESOURCE], nextCursor: null, schemaVersion: 'service.multi-role-launch-list.v2' },
  FinalityStatus: FINALITY,
  FinalizedRecord: RECORD,
  FinalizedList: { items: [RECORD], nextCursor: null, schemaVersion: 'service.multi-role-finalized-metadata-list.v2' },
  TransactionHint: {
    schemaVersion: 'service.multi-role-transaction-hint.v2',
    transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
  },
  TransactionHintReceipt: {
    assertsInclusion: false,
    launchId: 'e8c13666-5a5f-47d1-b248-288eded6822e',
    registeredAt: '2026-11-21T14:23:55.023Z',
    schemaVersion: 'service.multi-role-transaction-hint-receipt.v2',
    statusUrl: '/v4/chains/4663/multi-role-custom-launches/e8c13666-5a5f-47d1-b248-288eded6822e/finality',
    transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
  },
  FinalityDiscovery: {
    caip2: 'eip155:4663',
    chainId: '4663',
    current: 'v2',
    readiness: '/v4/chains/4663/multi-role-custom-launches/derived-finality-v3/readiness',
    schemaVersion: 'service.multi-role-finality-discovery.v3',
    selection: {
      absent: 'v2',
      contextField: 'profile.derivedContractFinality',
      otherwise: 'refused',
      policyV3: 'service.derived-contract-finality.v3',
    },
    v2: {
      feed: {
        image: '/v4/chains/4663/multi-role-custom-launches/finalized/{onchainLaunchId}/image/{sha256hex}',
        list: '/v4/chains/4663/multi-role-custom-launches/finalized',
        listSchemaVersion: 'service.multi-role-finalized-metadata-list.v2',
        record: '/v4/chains/4663/multi-role-custom-launches/finalized/{onchainLaunchId}',
        recordSchemaVersion: 'service.multi-role-finalized-metadata.v2',
      },
      finality: {
        path: '/v4/chains/4663/multi-role-custom-launches/{launchId}/finality',
        schemaVersion: 'service.multi-role-finality-status.v2',
      },
      transactionHint: {
        path: '/v4/chains/4663/multi-role-custom-launches/{launchId}/transaction-hints',
        receiptSchemaVersion: 'service.multi-role-transaction-hint-receipt.v2',
        schemaVersion: 'service.multi-role-transaction-hint.v2',
      },
    },
    v3: {
      feed: {
        image: '/v4/chains/4663/multi-role-custom-launches/finalized-v3/{onchainLaunchId}/image/{sha256hex}',
        list: '/v4/chains/4663/multi-role-custom-launches/finalized-v3',
        listSchemaVersion: 'service.multi-role-finalized-metadata-list.v3',
        record: '/v4/chains/4663/multi-role-custom-launches/finalized-v3/{onchainLaunchId}',
        recordSchemaVersion: 'service.multi-role-finalized-metadata.v3',
      },
      finality: {
        path: '/v4/chains/4663/multi-role-custom-launches/{launchId}/finality-v3',
        schemaVersion: 'service.multi-role-finality-status.v3',
      },
      transactionHint: {
        path: '/v4/chains/4663/multi-role-custom-launches/{launchId}/transaction-hints-v3',
        receiptSchemaVersion: 'service.multi-role-transaction-hint-receipt.v3',
        schemaVersion: 'service.multi-role-transaction-hint.v3',
      },
    },
  },
  FinalityReadiness: {
    checkedAt: '2026-11-21T14:24:21.858Z',
    reasonCodes: ['RECOVERY_INDETERMINATE'],
    recovery: {
      checkpoint: {
        blockHash: '0x4924edb97b80d442cc19d99d2d222aef2dbadbf37c6eb8f898551f755a127eb3',
        blockNumber: '4082',
      },
      head: null,
      lagBlocks: null,
      observation: 'indeterminate',
      reportedAt: '2026-11-21T14:24:20.902Z',
      router: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
    },
    schemaVersion: 'service.multi-role-finality-readiness.v3',
    status: 'unavailable',
  },
};

/** An answer with this code as its only one. */
export function errorExample(code: ErrorCode): ErrorBody {
  const { message, retryable } = catalogueEntry(code);
  return {
    error: {
      code,
      message,
      requestId: 'req_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      retryable,
      retryAfterSeconds: retryable ? 1 : null,
      statusUrl: null,
      findings: [],
    },
  };
}
