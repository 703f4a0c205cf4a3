import { Inject, Injectable } from '@nestjs/common';
import {
  CUSTOM_GRAPH_KIND,
  ROUTER_IDENTITIES_SCHEMA,
  type PublishedLaunch,
  type PublishedSource,
  type RouterIdentities,
} from '@launch/contracts/index';
import { bytes32Schema, checksummed } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import { PageCache } from '../../../core/feeds/page-cache.js';
import { isComplete } from '../data/index-freshness.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import { IndexStateService } from './index-state.service.js';
import {
  deploymentOf,
  ETHEREUM_ROUTER,
  ethereumRouters,
  isEthereumRouter,
  type EthereumRouter,
} from './source-documents.js';

function routerOf({ binding, startBlock, endBlock }: EthereumRouter): RouterIdentities['routers'][number] {
  const { address, runtimeCodeHash, releaseDigest, abiUrl, abiSha256 } = deploymentOf(binding, checksummed);
  return { address, runtimeCodeHash, startBlock, endBlock, releaseDigest, abiUrl, abiSha256 };
}

function identityOf({ record }: PublishedLaunch): RouterIdentities['identities'][number] {
  const { launchId, routerAddress, poolId, transactionHash, blockNumber, blockHash, logIndex } = record;
  if (launchId === null || routerAddress === null) throw new TypeError('a stamped launch has a router and an id');
  return {
    tokenAddress: checksummed(record.tokenAddress),
    routerAddress: checksummed(routerAddress),
    launchId,
    kind: CUSTOM_GRAPH_KIND,
    poolManager: checksummed(record.poolManager),
    poolId,
    hook: checksummed(record.hookAddress),
    transactionHash,
    blockNumber,
    blockHash,
    logIndex,
  };
}

/** Returns the common checkpoint of all routers: the lowest of active routers, or the highest when all have ended. Null when unknown. */
function commonCheckpoint(routers: readonly PublishedSource[]): RouterIdentities['checkpoint'] | null {
  const places = routers.map((router) => {
    const { checkpoint_number: number, checkpoint_hash: hash } = router;
    return number === null || hash === null
      ? null
      : { number, hash: bytes32Schema.parse(hash), isEnded: isComplete(router) };
  });
  if (places.length === 0 || places.some((place) => place === null)) return null;
  const known = places.filter((place) => place !== null);
  const upwards = known.sort((a, b) => (BigInt(a.number) < BigInt(b.number) ? -1 : 1));
  const place = upwards.find(({ isEnded }) => !isEnded) ?? upwards.at(-1);
  return place === undefined ? null : { number: place.number, hash: place.hash };
}

/** Serves the identity snapshot of Custom coins on Ethereum (docs/reference/index-reads.md#identity-snapshot). */
@Injectable()
export class RouterIdentitiesService {
  private readonly pages = new PageCache({ maxPages: 1 });

  constructor(
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'stamped'>,
    private readonly index: IndexStateService,
  ) {}

  /**
   * Returns the snapshot as canonical JSON.
   * @throws ApiError `SERVICE_UNAVAILABLE` while a router has no checkpoint: the snapshot would be incomplete.
   */
  snapshot(): Promise<Uint8Array> {
    return this.pages.bytesOf({
      name: 'snapshot',
      version: async () => (await this.index.state()).version,
      read: async () => ({ body: await this.read() }),
    });
  }

  private async read(): Promise<RouterIdentities> {
    // Read before the rows: the rows that a checkpoint covers were committed with it.
    const routers = (await this.index.state()).sources.filter(isEthereumRouter);
    const checkpoint = commonCheckpoint(routers);
    if (checkpoint === null) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 });
    const launches = await this.rows.stamped(ETHEREUM_ROUTER, CUSTOM_GRAPH_KIND, checkpoint.number);
    return {
      schemaVersion: ROUTER_IDENTITIES_SCHEMA,
      chainId: 1,
      checkpoint,
      routers: ethereumRouters(routers).map(routerOf),
      count: launches.length,
      identities: launches.map(identityOf),
    };
  }
}
