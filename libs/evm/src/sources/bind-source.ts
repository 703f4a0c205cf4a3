import { CHAIN_ETHEREUM_FINALIZED_V1 } from '@launch/contracts/launch';
import {
  INDEX_DEPLOYMENT_SCHEMA,
  INDEX_SOURCE_SCHEMA,
  type IndexDeployment,
  type IndexSource,
  type SourceStatus,
} from '@launch/contracts/index';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { EvmError } from '../evm.error.js';
import { adapterOf } from './adapters.js';
import { sourceReleaseDigest } from './judging.js';

/** The fields of a binding that a deployment decides; its ABI and finality policy come from this release. */
export type BoundSource = Omit<IndexSource, 'schemaVersion' | 'abiSha256' | 'finalityPolicyId'>;

/**
 * Builds the document of a binding (docs/reference/index-sources.md#source-binding).
 * @throws {EvmError} `SOURCE_VERSION_UNKNOWN` for a source version without an adapter, with which no indexer of this
 * release would start.
 */
export function bindSource(source: BoundSource): IndexSource {
  const adapter = adapterOf(source.sourceVersion);
  if (adapter === null) throw new EvmError('SOURCE_VERSION_UNKNOWN', 'sourceVersion');
  return {
    schemaVersion: INDEX_SOURCE_SCHEMA,
    ...source,
    abiSha256: canonicalSha256(adapter.abi),
    finalityPolicyId: CHAIN_ETHEREUM_FINALIZED_V1,
  };
}

/** A binding, and whether new launches through it are accepted. */
export interface PlacedSource {
  readonly source: IndexSource;
  readonly status: SourceStatus;
}

/**
 * Builds a deployment's list of sources. A binding is never removed: one that is no longer named is retained, and its
 * coins stay.
 */
export function deploymentOf(
  rollup: IndexDeployment['rollup'],
  placed: readonly PlacedSource[],
  earlier: IndexDeployment['sources'],
): IndexDeployment {
  const sources = placed.map(({ source, status }) => ({ releaseDigest: sourceReleaseDigest(source), status }));
  const named = new Set(sources.map(({ releaseDigest }) => releaseDigest));
  const retained = earlier
    .filter(({ releaseDigest }) => !named.has(releaseDigest))
    .map(({ releaseDigest }) => ({ releaseDigest, status: 'retained' as const }));
  return { schemaVersion: INDEX_DEPLOYMENT_SCHEMA, rollup, sources: [...sources, ...retained] };
}
