import { ethereumEvidencePath, type EthereumFinalizedList } from '@launch/contracts/index';

const ROUTER_LAUNCH = '0x9e8d7c6b5a49382716050f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a';
const EVIDENCE = 'sha256:f3b1c1a6f0a34d7b8a1f5e2c9d60471be85c2f7a1d3964e0b7c8a9f21d5e6034';
const COUNTERS = { sourceRowCount: 1, publishedRowCount: 1, quarantinedRowCount: 0 };

export const ETHEREUM_FEED_EXAMPLE: EthereumFinalizedList = {
  schemaVersion: 'service.custom-launch-finalized-list.v3',
  dataset: { ...COUNTERS, asOf: '2026-11-22T21:04:11.120Z' },
  quality: { status: 'ready', reasons: [] },
  ...COUNTERS,
  items: [
    {
      schemaVersion: 'service.custom-launch-finalized-metadata.v3',
      platformId: 'service',
      category: 'custom',
      chainId: 1,
      caip2: 'eip155:1',
      projectMetadata: { token: { name: 'Atlas', symbol: 'ATLAS' } },
      market: {
        token: '0x8f2b6d1c3e5a79402b6c8d0e1f3a5b7c9d2e4f60',
        hook: '0x1a3c5e7092b4d6f8091a2b3c4d5e6f7081920cc0',
        poolManager: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
        poolId: '0x6c1d9e0f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5',
      },
      onchain: {
        schemaVersion: 'service.custom-launch-ethereum-evidence.v3',
        router: '0x2f7a1b3c5d7e9f0123456789abcdef0123456789',
        routerLaunchId: ROUTER_LAUNCH,
        terminal: true,
        checkpointType: 'ethereum_finalized',
        transactionHash: '0x5d1f0c6b2a9e47838fb05c1d6e7a2493f8b0c5d7e1a2f3648590b7c6d8e9fa01',
        inclusion: {
          blockNumber: '208',
          blockHash: '0xa4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293',
          transactionIndex: 0,
          logIndex: 7,
        },
        ethereumFinalized: {
          blockNumber: '212',
          blockHash: '0x0b8d6f2e91c7a3540d8e7f1b2c6a95e3d4f708192a3b4c5d6e7f8091a2b3c4d5',
        },
      },
      sourceVerification: { status: 'not_verified', components: [] },
      quality: { status: 'ready' },
      evidence: { sha256: EVIDENCE, path: ethereumEvidencePath(ROUTER_LAUNCH, EVIDENCE) },
      launchedAt: '2026-11-22T21:02:59.000Z',
      finalizedAt: '2026-11-22T21:03:58.402Z',
    },
  ],
  nextCursor: null,
};
