import { canonicalSha256 } from '../primitives/digest.js';
import type { Sha256Digest } from '../primitives/scalars.schema.js';
import type { BoundContract, IndexSource } from './index-source.schema.js';
import { GRAPH_FACTORY_VERSIONS, type GraphFactoryVersion } from './source-versions.js';

export const GRAPH_RELEASE_SCHEMA = 'service.graph-release.v1';

/** A graph factory and the contracts that its launches use, as the binding of a router names them. */
export interface GraphRelease {
  readonly factoryVersion: GraphFactoryVersion;
  /** SHA-256 of the canonical JSON of the four contracts, the version and the binding's own digest. */
  readonly releaseDigest: Sha256Digest;
  readonly factory: BoundContract;
  readonly moduleImplementation: BoundContract;
  readonly launchAccount: BoundContract;
  readonly custody: BoundContract;
}

/**
 * Returns the graph releases of a router on Ethereum, from the contract names of its binding. The schema of the binding
 * refuses a factory without its module implementation, launch account or custody.
 */
export function graphReleasesOf(source: IndexSource, sourceReleaseDigest: Sha256Digest): readonly GraphRelease[] {
  const { contracts } = source;
  return GRAPH_FACTORY_VERSIONS.flatMap((factoryVersion): GraphRelease[] => {
    const factory = contracts[`graphFactory${factoryVersion}`];
    const moduleImplementation = contracts[`moduleImplementation${factoryVersion}`];
    const launchAccount = contracts[`launchAccount${factoryVersion}`];
    const { custody } = contracts;
    if (factory === undefined || moduleImplementation === undefined) return [];
    if (launchAccount === undefined || custody === undefined) return [];
    const bound = { factory, moduleImplementation, launchAccount, custody };
    const document = { schemaVersion: GRAPH_RELEASE_SCHEMA, factoryVersion, sourceReleaseDigest, ...bound };
    return [{ factoryVersion, releaseDigest: canonicalSha256(document), ...bound }];
  });
}
