import type { CustomLaunchFinalizedList } from '@launch/contracts/custom-launch';

const LAUNCH_ID = '7d0c2f6e-41a3-4d5b-9a57-2c8f3b9e6a10';
const EVIDENCE = 'f3b1c1a6f0a34d7b8a1f5e2c9d60471be85c2f7a1d3964e0b7c8a9f21d5e6034';
const TRANSACTION = '0x5d1f0c6b2a9e47838fb05c1d6e7a2493f8b0c5d7e1a2f3648590b7c6d8e9fa01';
const CHECKPOINT = {
  blockNumber: '212',
  blockHash: '0x0b8d6f2e91c7a3540d8e7f1b2c6a95e3d4f708192a3b4c5d6e7f8091a2b3c4d5',
} as const;
const observers = (chain: 'l2' | 'l1') =>
  ['a', 'b'].map((name) => ({
    id: `${chain}-${name}`,
    observedAt: '2026-11-22T21:03:57.912Z',
    responseSha256: 'sha256:5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a' as const,
  }));
const COUNTERS = { sourceRowCount: 1, publishedRowCount: 1, quarantinedRowCount: 0 };

export const CUSTOM_FEED_EXAMPLE: CustomLaunchFinalizedList = {
  schemaVersion: 'service.custom-launch-finalized-list.v4',
  dataset: { ...COUNTERS, asOf: '2026-11-22T21:04:11.120Z' },
  quality: { status: 'ready', reasons: [] },
  ...COUNTERS,
  items: [
    {
      schemaVersion: 'service.custom-launch-finalized-metadata.v4',
      platformId: 'service',
      category: 'custom',
      chainId: 4663,
      caip2: 'eip155:4663',
      launchId: LAUNCH_ID,
      requestKind: 'launch',
      projectMetadata: { token: { name: 'Atlas', symbol: 'ATLAS' } },
      market: {
        token: '0x8f2b6d1c3e5a79402b6c8d0e1f3a5b7c9d2e4f60',
        hook: '0x1a3c5e7092b4d6f8091a2b3c4d5e6f7081920cc0',
        poolManager: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
        poolId: '0x6c1d9e0f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5',
      },
      onchain: {
        schemaVersion: 'service.custom-launch-onchain-evidence.v3',
        router: '0x2f7a1b3c5d7e9f0123456789abcdef0123456789',
        routerLaunchId: '0x9e8d7c6b5a49382716050f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a',
        terminal: true,
        checkpointType: 'ethereum_finalized',
        transactionHash: TRANSACTION,
        l2Inclusion: {
          blockNumber: '50469871',
          blockHash: '0x3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c',
          transactionIndex: 0,
          transactionHash: TRANSACTION,
          receiptStatus: 'success',
          logsSha256: 'sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
          observers: observers('l2'),
        },
        l1Posting: {
          sequencerInbox: '0x81d9c56c7968480cc64ccf883dc2a8467fc16aab',
          batchNumber: '91',
          batchTransactionHash: '0x7081920a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6',
          l1BlockNumber: '208',
          l1BlockHash: '0xa4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293',
          logIndex: 2,
          firstL2Block: '50469860',
          lastL2Block: '50469880',
          afterAcc: '0xc6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5',
          observers: observers('l1'),
        },
        l1FinalizedCheckpoint: {
          ...CHECKPOINT,
          epoch: null,
          common: CHECKPOINT.blockNumber,
          observers: observers('l1'),
        },
        ...CHECKPOINT,
        logIndex: 2,
      },
      sourceVerification: {
        status: 'exact_match',
        components: [
          {
            targetId: 'token',
            address: '0x8f2b6d1c3e5a79402b6c8d0e1f3a5b7c9d2e4f60',
            runtimeCodeHash: '0xe8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7',
            status: 'exact_match',
          },
        ],
      },
      quality: { status: 'ready' },
      evidence: {
        sha256: `sha256:${EVIDENCE}`,
        path: `/v4/chains/4663/finalized-custom-launches/${LAUNCH_ID}/evidence/${EVIDENCE}`,
      },
      finalizedAt: '2026-11-22T21:03:58.402Z',
    },
  ],
  nextCursor: null,
};
