import { Injectable } from '@nestjs/common';
import { CHAIN_ETHEREUM_FINALIZED_V1 } from '@launch/contracts/launch';
import {
  DEVELOPER_LAUNCH_SCHEMA,
  DEVELOPER_LAUNCHES_PATH,
  DEVELOPER_LAUNCHES_SCHEMA,
  INDEX_MANIFEST_SCHEMA,
  type DeveloperLaunch,
  type IndexManifest,
  type RouterGeneration,
} from '@launch/contracts/index';
import type { Address } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import type { DeveloperLaunchesQuery } from './coin-queries.js';
import { lastUpdateOf } from '../data/index-freshness.js';
import { IndexedLaunchesService, type LaunchList } from './indexed-launches.service.js';
import { IndexStateService } from './index-state.service.js';
import {
  byRank,
  contractsOf,
  deploymentOf,
  ethereumRouters,
  lowercase,
  type EthereumRouter,
} from './source-documents.js';

const FOUNDATION = 'module-foundation-v1';
const ETHEREUM = 1;
const DEVELOPER = {
  path: DEVELOPER_LAUNCHES_PATH,
  page: DEVELOPER_LAUNCHES_SCHEMA,
  launch: DEVELOPER_LAUNCH_SCHEMA,
  shown: (record) => record,
} as const satisfies LaunchList<string, string>;

function generationOf({ binding, startBlock, endBlock }: EthereumRouter): RouterGeneration {
  const { address, runtimeCodeHash, status, releaseDigest, abiUrl, abiSha256 } = deploymentOf(binding, lowercase);
  return {
    chainId: ETHEREUM,
    address,
    runtimeCodeHash,
    startBlock,
    endBlock,
    status,
    abiUrl,
    abiSha256,
    bindings: { releaseDigest, ...contractsOf(binding.document.contracts, lowercase) },
    finalityPolicyId: CHAIN_ETHEREUM_FINALIZED_V1,
  };
}

const byStart = (a: EthereumRouter, b: EthereumRouter): number => Number(BigInt(a.startBlock) - BigInt(b.startBlock));

/** The developer feed of Ethereum: routers of every generation, and their launches (docs/reference/index-reads.md#developer-feed). */
@Injectable()
export class DeveloperFeedService {
  constructor(
    private readonly index: IndexStateService,
    private readonly launches: IndexedLaunchesService,
  ) {}

  /** @throws ApiError `NOT_FOUND` when no router of Ethereum was ever configured. */
  async manifest(): Promise<IndexManifest> {
    const sources = (await this.index.state()).sources.filter(({ document }) => document.chainId === ETHEREUM);
    const routers = ethereumRouters(sources);
    const [primary] = [...routers].sort((a, b) => byRank(a.binding, b.binding));
    const generatedAt = lastUpdateOf(sources);
    if (primary === undefined || generatedAt === null) throw new ApiError('NOT_FOUND');
    const deployed = sources.map((source) => deploymentOf(source, lowercase));
    return {
      schemaVersion: INDEX_MANIFEST_SCHEMA,
      chainId: ETHEREUM,
      router: generationOf(primary),
      extensions: { routerGenerations: [...routers].sort(byStart).map(generationOf) },
      releases: deployed.filter(({ sourceVersion }) => sourceVersion === FOUNDATION),
      sources: deployed,
      finalityPolicy: { id: CHAIN_ETHEREUM_FINALIZED_V1, providers: 2 },
      generatedAt,
    };
  }

  /** Returns a page as canonical JSON. */
  list(query: DeveloperLaunchesQuery): Promise<Uint8Array> {
    return this.launches.list({ ...query, chainId: ETHEREUM }, DEVELOPER);
  }

  /** @throws ApiError `NOT_FOUND`, or `INDEX_NOT_CURRENT` while absence is not proven. */
  launch(token: Address): Promise<DeveloperLaunch> {
    return this.launches.launchOf(DEVELOPER, ETHEREUM, token);
  }
}
