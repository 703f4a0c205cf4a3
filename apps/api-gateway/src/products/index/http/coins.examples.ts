import {
  CUSTOM_LABEL,
  SCAN_START_BLOCK,
  STAMP_GENERATION,
  TRADES_SCHEMA,
  type ChainExplore,
  type ChainPresentation,
  type ChainProfile,
  type ChainTrades,
  type CoinAxes,
  type ExploreItem,
  type IndexedLaunch,
  type IndexedLaunches,
  type IndexVerification,
  type LaunchRecord,
  type ModuleIndexer,
  type ModuleMode,
  type ModuleModeRelease,
  type RouterIdentities,
} from '@launch/contracts/index';
import { CHAIN_DEPLOYMENT_ID } from '@launch/contracts/primitives';

const LAUNCHER = '0x2F7a1b3c5D7e9F0123456789AbcdEF0123456789';
const POOL_MANAGER = '0xb4D762979A33eD0caF646F347d4E9917AB620F92';
const CREATOR = '0x1A3c5E7092B4D6F8091A2B3c4D5E6f7081920cc0';
const TOKEN = '0x8f2b6D1c3e5a79402B6c8d0e1f3a5B7C9D2e4F60';
const HOOK = '0x1A3c5E7092B4D6F8091A2B3c4D5E6f7081920cc0';
const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const digest = (digit: string): `sha256:${string}` => `sha256:${digit.repeat(64)}`;
const UPDATED_AT = '2026-11-23T08:00:11.120Z';

const RECORD: LaunchRecord = {
  chainId: 4663,
  sourceKind: 'module-native-v1',
  factoryVersion: null,
  sourceAddress: LAUNCHER,
  sourceReleaseDigest: digest('1'),
  launchId: word('2'),
  launchKind: null,
  tokenAddress: TOKEN,
  creator: CREATOR,
  poolManager: POOL_MANAGER,
  poolId: word('3'),
  hookAddress: HOOK,
  recipeHash: word('4'),
  runtime: LAUNCHER,
  launchKey: word('5'),
  modulePackageIds: [word('6')],
  moduleFamilyIds: [word('7')],
  transactionHash: word('8'),
  blockNumber: '50469871',
  blockHash: word('9'),
  logIndex: 4,
  launchedAt: '2026-11-23T07:58:02.000Z',
  name: 'Atlas',
  symbol: 'ATLAS',
  decimals: 18,
  verificationDigest: digest('a'),
  routerAddress: null,
  stampHash: null,
};
const AXES: CoinAxes = {
  provenance: 'NOT_STAMPED',
  feedAvailability: 'AVAILABLE',
  finality: 'FINALIZED',
  sourceVerification: 'UNVERIFIED',
  writeActivation: 'ACTIVE',
  feeBehaviour: 'UNVERIFIED',
  security: 'UNVERIFIED',
  marketSupport: 'UNVERIFIED',
  thirdPartyIndexing: 'UNVERIFIED',
};
const FRESH = { status: 'ok', updatedAt: UPDATED_AT } as const;

export const INDEXED_LAUNCHES_EXAMPLE: IndexedLaunches = {
  schemaVersion: 'service.indexed-launches.v1',
  items: [RECORD],
  nextCursor: null,
  ...FRESH,
};
export const INDEXED_LAUNCH_EXAMPLE: IndexedLaunch = {
  schemaVersion: 'service.indexed-launch.v1',
  launch: RECORD,
  axes: AXES,
  label: null,
};

const ITEM: ExploreItem = {
  chainId: RECORD.chainId,
  tokenAddress: TOKEN,
  name: RECORD.name,
  symbol: RECORD.symbol,
  mode: 'module',
  sourceKind: RECORD.sourceKind,
  factoryVersion: null,
  moduleFamilyIds: RECORD.moduleFamilyIds,
  creator: CREATOR,
  poolId: RECORD.poolId,
  launchedAt: RECORD.launchedAt,
  finalityStage: 'ethereum_finalized',
  label: null,
  imageUrl: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  market: {
    priceNative: '0.000000001',
    volume24hNative: '2.04',
    swaps24h: 2,
    lastSwap: {
      router: '0x1111111111111111111111111111111111111111',
      transactionHash: `0x${'5'.repeat(64)}`,
      blockNumber: '50470001',
      blockHash: `0x${'6'.repeat(64)}`,
      logIndex: 12,
      at: UPDATED_AT,
      isFinal: true,
      sqrtPriceX96: '2505414483750479311864138015696063',
      tick: 207243,
      liquidity: '1000000000000000000',
    },
    isComplete: true,
    asOf: UPDATED_AT,
  },
};
const PAGE = { number: 1, pageSize: 50, totalItems: 1, totalPages: 1, hasMore: false } as const;
export const EXPLORE_EXAMPLE: ChainExplore = {
  schemaVersion: 'service.chain-explore.v1',
  ...FRESH,
  items: [ITEM],
  page: PAGE,
};
export const PROFILE_EXAMPLE: ChainProfile = {
  schemaVersion: 'service.chain-profile.v1',
  account: CREATOR,
  ...FRESH,
  items: [ITEM],
  page: PAGE,
};
export const PRESENTATION_EXAMPLE: ChainPresentation = {
  schemaVersion: 'service.chain-presentation.v1',
  chainId: 4663,
  token: TOKEN,
  imageUrl: ITEM.imageUrl,
  description: 'A map of everything.',
  links: [{ label: 'website', url: 'https://atlas.example/' }],
  market: ITEM.market,
  metadataStatus: 'ok',
  axes: AXES,
  label: null,
  updatedAt: UPDATED_AT,
};

export const TRADES_EXAMPLE: ChainTrades = {
  schemaVersion: TRADES_SCHEMA,
  chainId: 4663,
  token: TOKEN,
  items: [
    {
      transactionHash: word('5'),
      blockNumber: '50470001',
      blockHash: word('6'),
      logIndex: 12,
      at: UPDATED_AT,
      isFinal: true,
      router: '0x1111111111111111111111111111111111111111',
      side: 'buy',
      nativeWei: '10000000000000000',
      tokenAmount: '9970000000000000000000000',
      priceNative: '0.000000001',
      fees: { platformWei: '30000000000000', creatorWei: '0' },
    },
  ],
  nextCursor: null,
  ...FRESH,
};

const RELEASE: ModuleModeRelease = {
  schemaVersion: 'service.module-mode-source.v1',
  sourceVersion: 'module-native-v1',
  chainId: 4663,
  enabled: true,
  status: 'active',
  contracts: { launcher: LAUNCHER, poolManager: POOL_MANAGER },
  runtimeCodeHashes: { launcher: word('b'), poolManager: word('c') },
  startBlock: SCAN_START_BLOCK,
  releaseDigest: digest('1'),
  profile: 'development',
  sourceCommit: 'c'.repeat(40),
};
export const MODULE_MODE_EXAMPLE: ModuleMode = { release: RELEASE, retained: [] };

const ABI_SHA256 = digest('d');
const ABI = { abiUrl: `/api/v2/abi/${'d'.repeat(64)}.json`, abiSha256: ABI_SHA256 };
export const MODULE_INDEXER_EXAMPLE: ModuleIndexer = {
  schemaVersion: 'service.module-mode-indexer.v1',
  abi: [{ type: 'function', name: 'launchIdentityVersion', inputs: [], outputs: [{ type: 'uint256' }] }],
  eventTopics: { ModuleNativeLaunched: word('e') },
  identityFields: {
    coin: ['chainId', 'tokenAddress'],
    pool: ['chainId', 'poolManager', 'poolId'],
    launch: ['chainId', 'sourceAddress', 'launchId'],
    event: ['chainId', 'blockHash', 'transactionHash', 'logIndex'],
  },
  tokenMetadata: {
    getter: [{ type: 'function', name: 'metadata', inputs: [], outputs: [{ type: 'string', name: 'description' }] }],
    fields: { imageUrl: 'image' },
    limits: { urlBytes: 2_048 },
    defaultImageUrl: null,
  },
  releasePath: '/api/module-mode',
  scanStartBlock: SCAN_START_BLOCK,
  stampGeneration: STAMP_GENERATION,
  chainDeploymentId: CHAIN_DEPLOYMENT_ID,
  launchKind: { name: 'CustomGraph', value: 1 },
  label: CUSTOM_LABEL,
  sources: [{ sourceVersion: 'module-native-v1', ...ABI }],
  deployments: [
    {
      sourceVersion: 'module-native-v1',
      factoryVersion: null,
      chainId: 4663,
      address: LAUNCHER,
      runtimeCodeHash: word('b'),
      startBlock: SCAN_START_BLOCK,
      endBlock: null,
      status: 'active',
      releaseDigest: digest('1'),
      contracts: { poolManager: POOL_MANAGER },
      runtimeCodeHashes: { poolManager: word('c') },
      profile: 'reference',
      sourceCommit: 'c'.repeat(40),
      ...ABI,
    },
  ],
  answerSignatures: {
    algorithm: 'ed25519',
    keysUrl: '/.well-known/service-answer-keys.json',
    tag: 'service-answer-v1',
    components: ['"@status"', '"content-type"', '"content-digest"', '"@path";req', '"@query";req'],
  },
  rollup: null,
};

export const IDENTITIES_EXAMPLE: RouterIdentities = {
  schemaVersion: 'service.router-custom-identities.v1',
  chainId: 1,
  checkpoint: { number: '21000412', hash: word('f') },
  routers: [
    {
      address: LAUNCHER,
      runtimeCodeHash: word('b'),
      startBlock: '21000000',
      endBlock: null,
      releaseDigest: digest('1'),
      ...ABI,
    },
  ],
  count: 1,
  identities: [
    {
      tokenAddress: TOKEN,
      routerAddress: LAUNCHER,
      launchId: word('2'),
      kind: 1,
      poolManager: POOL_MANAGER,
      poolId: word('3'),
      hook: HOOK,
      transactionHash: word('8'),
      blockNumber: '21000371',
      blockHash: word('9'),
      logIndex: 4,
    },
  ],
};

export const INDEX_VERIFICATION_EXAMPLE: IndexVerification = {
  schemaVersion: 'service.index-verification.v1',
  sourceReleaseDigest: RECORD.sourceReleaseDigest,
  block: { number: RECORD.blockNumber, hash: RECORD.blockHash, timestamp: '1795766282' },
  transactionHash: RECORD.transactionHash,
  transactionIndex: 2,
  anchorLogIndex: RECORD.logIndex,
  receiptStatus: 'success',
  logs: [{ logIndex: RECORD.logIndex, sha256: digest('b') }],
  reads: [
    {
      read: { kind: 'code', name: 'launcher.code', to: LAUNCHER.toLowerCase() as `0x${string}` },
      answerSha256: digest('c'),
    },
  ],
};
