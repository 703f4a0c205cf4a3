import type { RollupAnchors } from '@launch/chain/sources';
import { CHAIN_ETHEREUM_FINALIZED_V1 } from '@launch/contracts/launch';
import {
  INDEX_SOURCE_SCHEMA,
  MODULE_INDEXER_PATH,
  moduleIndexerSchema,
  type IndexSource,
  type SourceDeployment,
  type SourceStatus,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { addressOf, sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { adapterOf, sourceReleaseDigest, type SourceAdapter } from '@launch/evm/sources';
import type { ServiceRead } from '../feed/service-read.js';
import { ReaderError } from './reader.error.js';

/** A source as its service binds it, with the rules by which this reader verifies it; null for unknown rules. */
export interface ReadSource {
  readonly source: IndexSource;
  readonly releaseDigest: Sha256Digest;
  readonly status: SourceStatus;
  readonly adapter: SourceAdapter | null;
}

export interface PublishedSources {
  readonly sources: readonly ReadSource[];
  /** The rollup of chain 4663; null if the service follows no rollup. */
  readonly rollup: RollupAnchors | null;
}

/**
 * Reads the sources from a service's discovery. Rebuilds the document of each source and compares its digest with the release
 * digest: a different address, block or hash changes the digest.
 * @throws {ReaderError} `DISCOVERY_INVALID`, `RELEASE_MISMATCH`. @throws {ExchangeError}
 */
export async function readSources(service: ServiceRead): Promise<PublishedSources> {
  const parsed = moduleIndexerSchema.safeParse((await service.get(MODULE_INDEXER_PATH)).json);
  if (!parsed.success) throw new ReaderError('DISCOVERY_INVALID', 'discovery has another form');
  const { deployments, rollup } = parsed.data;
  return {
    sources: deployments.map(readSource),
    rollup:
      rollup === null
        ? null
        : {
            sequencerInbox: lower(rollup.sequencerInbox),
            bridge: lower(rollup.bridge),
            nodeInterface: lower(rollup.nodeInterface),
            genesisBlock: BigInt(rollup.genesisBlock),
          },
  };
}

const lower = (address: string): Hex => addressOf(address)!;

function readSource(deployment: SourceDeployment): ReadSource {
  const { releaseDigest, status, contracts, runtimeCodeHashes } = deployment;
  const source: IndexSource = {
    schemaVersion: INDEX_SOURCE_SCHEMA,
    sourceVersion: deployment.sourceVersion,
    chainId: deployment.chainId,
    address: lower(deployment.address),
    runtimeCodeHash: deployment.runtimeCodeHash,
    startBlock: deployment.startBlock,
    endBlock: deployment.endBlock,
    abiSha256: deployment.abiSha256,
    factoryVersion: deployment.factoryVersion,
    contracts: Object.fromEntries(
      Object.entries(contracts).map(([name, address]) => [
        name,
        { address: lower(address), runtimeCodeHash: runtimeCodeHashes[name]! },
      ]),
    ),
    profile: deployment.profile,
    sourceCommit: deployment.sourceCommit,
    finalityPolicyId: CHAIN_ETHEREUM_FINALIZED_V1,
  };
  if (sourceReleaseDigest(source) !== releaseDigest)
    throw new ReaderError('RELEASE_MISMATCH', `a source of ${source.sourceVersion} is not what its digest names`);
  const adapter = adapterOf(source.sourceVersion);
  // Another ABI is another contract, to which these rules may not apply.
  const isKnown = adapter !== null && sha256Digest(canonicalizeJson(adapter.abi)) === source.abiSha256;
  return { source, releaseDigest, status, adapter: isKnown ? adapter : null };
}

/** Returns the rules of a source. @throws {ReaderError} `SOURCE_UNSUPPORTED` */
export function rulesOf({ source, adapter }: ReadSource): SourceAdapter {
  if (adapter === null)
    throw new ReaderError('SOURCE_UNSUPPORTED', `this reader has no rules for that release of ${source.sourceVersion}`);
  return adapter;
}
