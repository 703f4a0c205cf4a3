export const FINALITY_DISCOVERY_EXAMPLE = {
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
};

export const FINALITY_READINESS_EXAMPLE = {
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
};
