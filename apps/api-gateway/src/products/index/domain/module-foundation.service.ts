import { Inject, Injectable } from '@nestjs/common';
import {
  abiUrlOf,
  FOUNDATION_GRAPH_KIND,
  MODULE_FOUNDATION_SCHEMA,
  siteLaunchRecord,
  type FoundationRelease,
  type IndexedChain,
  type LaunchRecord,
  type ModuleFoundation,
  type PublishedSource,
} from '@launch/contracts/index';
import { checksummed, type Address } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import { LAUNCH_CHAIN, type LaunchChain } from '../../../core/chain/launch-chain.js';
import type { ShownCode } from '../../../core/chain/shown-code.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import { IndexStateService } from './index-state.service.js';
import { isEthereumRouter } from './source-documents.js';
import { graphsShown, isFactory, type Release } from './foundation-release.js';
import { FoundationReleasesService } from './foundation-releases.service.js';

const RETRY_AFTER_SECONDS = 5;
const ETHEREUM = 1;

function shownRelease(release: Release): FoundationRelease {
  const { factoryVersion, releaseDigest, runtimeHashes, factory, custody, platformFeeBps, status, abiSha256 } = release;
  const { sourceCommit, startBlock, endBlock } = release.source.document;
  return {
    factoryVersion,
    releaseDigest,
    sourceCommit,
    startBlock,
    runtimeHashes,
    factoryAddress: checksummed(factory.address),
    custodyAddress: checksummed(custody.address),
    endBlock,
    platformFeeBps,
    status,
    abiUrl: abiUrlOf(abiSha256),
    abiSha256,
  };
}

/** Returns whether a launch belongs to Foundation: by a factory, or as a graph that a router of Ethereum stamped. */
const isOfFoundation = ({ sourceKind, launchKind }: LaunchRecord): boolean =>
  sourceKind === 'module-foundation-v1' || launchKind === FOUNDATION_GRAPH_KIND;

/** Returns the last block up to which every active source has been read; null while one of them has no checkpoint. */
export function coveredBlock(sources: readonly PublishedSource[]): bigint | null {
  let covered: bigint | null = null;
  for (const { state, checkpoint_number: checkpoint } of sources) {
    if (state === 'ended') continue;
    if (checkpoint === null) return null;
    if (covered === null || BigInt(checkpoint) < covered) covered = BigInt(checkpoint);
  }
  return covered;
}

/**
 * Returns whether a source can have launches of Foundation: factories, and on Ethereum the routers. A disabled source can
 * too: the index still reads it, and its launches remain (docs/reference/index-sources.md#source-status).
 */
const canHold = (chainId: IndexedChain, source: PublishedSource): boolean =>
  source.document.chainId === chainId && (isFactory(source) || (chainId === ETHEREUM && isEthereumRouter(source)));

/** Returns whether both observers answered and both meet the condition. */
const allShow = (shown: readonly ShownCode[], isSo: (hash: ShownCode['hash']) => boolean): boolean =>
  shown.length >= 2 && shown.every(({ hash }) => isSo(hash));

/** Serves Foundation discovery and the lookup of one token (docs/reference/index-reads.md#foundation-discovery). */
@Injectable()
export class ModuleFoundationService {
  constructor(
    private readonly releases: FoundationReleasesService,
    private readonly index: IndexStateService,
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'coin'>,
    @Inject(LAUNCH_CHAIN) private readonly chain: Pick<LaunchChain, 'codeShown'>,
  ) {}

  /** @throws ApiError `NOT_FOUND` when no release of the chain was ever configured; with a token, the errors of `launchOf`. */
  async discovery(chainId: IndexedChain, token?: Address): Promise<ModuleFoundation> {
    const launch = token === undefined ? {} : { launch: await this.launchOf(chainId, token) };
    const releases = await this.releases.all(chainId);
    const all = releases.map(shownRelease);
    const [current] = all;
    if (current === undefined) throw new ApiError('NOT_FOUND');
    const { factoryVersion, releaseDigest, sourceCommit, startBlock, runtimeHashes } = current;
    return {
      schemaVersion: MODULE_FOUNDATION_SCHEMA,
      chainId,
      factoryVersion,
      releaseDigest,
      sourceCommit,
      startBlock,
      runtimeHashes,
      releases: all,
      ...graphsShown(releases),
      ...launch,
    };
  }

  /**
   * Returns the finalized launch of a token.
   * @throws ApiError `MODULE_INDEX_PENDING` while absence is not proven, `MODULE_STAMP_MISSING` for a token of Ethereum that
   * no published router stamps, `NOT_FOUND` for an absent contract and for a coin of another source.
   */
  private async launchOf(chainId: IndexedChain, token: Address): Promise<LaunchRecord> {
    // Read before the row: a missing coin is then absent up to these checkpoints.
    const { sources } = await this.index.state();
    const row = await this.rows.coin(chainId, token);
    if (row !== null && !isOfFoundation(row.record)) throw new ApiError('NOT_FOUND');
    if (row !== null && row.sequence !== null) return siteLaunchRecord(row.record);
    const pending = new ApiError('MODULE_INDEX_PENDING', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    if (row !== null) throw pending;
    const asked = sources.filter((source) => canHold(chainId, source));
    if (asked.length === 0) throw new ApiError('NOT_FOUND');
    const covered = coveredBlock(asked);
    // In sequence: a decisive first answer saves the second request to the providers.
    const then = covered === null ? [] : await this.chain.codeShown(chainId, token, covered);
    if (allShow(then, (hash) => typeof hash === 'string'))
      throw new ApiError(chainId === ETHEREUM ? 'MODULE_STAMP_MISSING' : 'NOT_FOUND');
    const now = await this.chain.codeShown(chainId, token, 'latest');
    if (allShow(now, (hash) => hash === null)) throw new ApiError('NOT_FOUND');
    throw pending;
  }
}
