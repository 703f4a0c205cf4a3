import type {
  DeveloperLaunch,
  DeveloperLaunches,
  IndexedSource,
  IndexManifest,
  IndexStatus,
  RouterGeneration,
} from '@launch/contracts/index';
import { IDENTITIES_EXAMPLE, INDEXED_LAUNCH_EXAMPLE, MODULE_INDEXER_EXAMPLE } from './coins.examples.js';

const UPDATED_AT = '2026-11-23T08:00:11.120Z';
/** Returns an example of the site's reads with its addresses in lowercase, as the developer feed writes them. */
const lowercased = <T>(example: T): T =>
  JSON.parse(JSON.stringify(example).replaceAll(/"0x[0-9a-fA-F]{40}"/g, (address) => address.toLowerCase())) as T;

const [ROUTER] = lowercased(IDENTITIES_EXAMPLE.routers) as [(typeof IDENTITIES_EXAMPLE.routers)[number]];
const [DEPLOYMENT] = lowercased(MODULE_INDEXER_EXAMPLE.deployments) as [
  (typeof MODULE_INDEXER_EXAMPLE.deployments)[number],
];
const { releaseDigest, ...STANDS } = ROUTER;

const GENERATION: RouterGeneration = {
  ...STANDS,
  chainId: 1,
  status: 'active',
  bindings: { releaseDigest, contracts: DEPLOYMENT.contracts, runtimeCodeHashes: DEPLOYMENT.runtimeCodeHashes },
  finalityPolicyId: 'chain-ethereum-finalized-v1',
};

export const INDEX_MANIFEST_EXAMPLE: IndexManifest = {
  schemaVersion: 'service.index-manifest.v2',
  chainId: 1,
  router: GENERATION,
  extensions: { routerGenerations: [GENERATION] },
  releases: [],
  sources: [{ ...DEPLOYMENT, sourceVersion: 'ethereum-custom-v1', chainId: 1 }],
  finalityPolicy: { id: 'chain-ethereum-finalized-v1', providers: 2 },
  generatedAt: UPDATED_AT,
};

const SOURCE: IndexedSource = {
  sourceVersion: 'ethereum-custom-v1',
  factoryVersion: null,
  chainId: 1,
  address: ROUTER.address,
  releaseDigest,
  status: 'active',
  state: 'following',
  stateReason: null,
  freshness: 'ok',
  progressedAt: UPDATED_AT,
  checkpoint: { ...IDENTITIES_EXAMPLE.checkpoint, confirmedAt: UPDATED_AT },
  finalizedHead: '21000414',
  lagBlocks: '2',
  coverage: { from: ROUTER.startBlock, through: IDENTITIES_EXAMPLE.checkpoint.number },
  quarantine: { total: 1, byReason: { GETTER_MISMATCH: 1 }, dismissed: 0, dismissals: [] },
  holds: { total: 0, places: [] },
  observers: 2,
};
export const INDEX_STATUS_EXAMPLE: IndexStatus = {
  schemaVersion: 'service.index-status.v2',
  status: 'ok',
  updatedAt: UPDATED_AT,
  sources: [SOURCE],
  heldEthereumRecords: { quarantined: 0, dismissals: [] },
  heldRecords: { quarantined: 0, dismissals: [] },
};

const [IDENTITY] = IDENTITIES_EXAMPLE.identities as [(typeof IDENTITIES_EXAMPLE.identities)[number]];
const LAUNCH: DeveloperLaunch['launch'] = {
  ...lowercased(INDEXED_LAUNCH_EXAMPLE.launch),
  chainId: 1,
  sourceKind: 'ethereum-custom-v1',
  sourceAddress: ROUTER.address,
  launchKind: 1,
  recipeHash: null,
  runtime: null,
  launchKey: null,
  modulePackageIds: [],
  moduleFamilyIds: [],
  blockNumber: IDENTITY.blockNumber,
  routerAddress: ROUTER.address,
  stampHash: `0x${'e'.repeat(64)}`,
};
export const DEVELOPER_LAUNCHES_EXAMPLE: DeveloperLaunches = {
  schemaVersion: 'service.index-launches.v2',
  items: [LAUNCH],
  nextCursor: null,
  status: 'ok',
  updatedAt: UPDATED_AT,
};
export const DEVELOPER_LAUNCH_EXAMPLE: DeveloperLaunch = { schemaVersion: 'service.index-launch.v2', launch: LAUNCH };
