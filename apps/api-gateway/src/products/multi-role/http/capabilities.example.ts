import { CONTEXT_EXAMPLE, INSTRUCTION_POLICY_EXAMPLE } from '../../../core/context/context.example.js';

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

export const CAPABILITIES_EXAMPLE = {
  context: CONTEXT_EXAMPLE,
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
  limits: { compileBudgetSeconds: 120 },
  runtimeInstructionPolicy: INSTRUCTION_POLICY_EXAMPLE,
  routeId: 'custom-launch:create:multi-role-v2',
  routerProtocol: 'service.multi-role-launch-stamp-router.v2',
  schemaVersion: 'service.multi-role-launch-capabilities.v2',
};
