import {
  FOUNDATION_PLATFORM_FEE_BPS,
  graphReleasesOf,
  type BoundContract,
  type FoundationFactoryVersion,
  type GraphRelease,
  type IndexedChain,
  type ModuleFoundation,
  type PublishedSource,
  type SourceStatus,
} from '@launch/contracts/index';
import { checksummed, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { byRank, GRAPH_ABIS, isEthereumRouter } from './source-documents.js';

/** A Foundation release: a factory that is a source itself, or a graph factory of a router of Ethereum. */
export interface Release {
  readonly chainId: IndexedChain;
  readonly factoryVersion: FoundationFactoryVersion;
  readonly releaseDigest: Sha256Digest;
  readonly factory: BoundContract;
  readonly custody: BoundContract;
  readonly runtimeHashes: Readonly<Record<string, Hex>>;
  readonly platformFeeBps: number;
  readonly status: SourceStatus;
  /** The binding by which its launches are read. */
  readonly source: PublishedSource;
  readonly graph: GraphRelease | null;
  /** The ABI of its own factory. */
  readonly abiSha256: Sha256Digest;
}

export const isFactory = ({ document }: PublishedSource): boolean =>
  document.sourceVersion === 'module-foundation-v1' && document.factoryVersion !== null;

/** Returns every release of the sources, those for new launches first. */
export const releasesOf = (sources: readonly PublishedSource[]): readonly Release[] =>
  [...sources].sort(byRank).flatMap((source) => (isEthereumRouter(source) ? graphsOf(source) : factoryOf(source)));

function factoryOf(source: PublishedSource): readonly Release[] {
  const { document, release_digest: releaseDigest, status } = source;
  const { factoryVersion, address, runtimeCodeHash, contracts } = document;
  const { custody } = contracts;
  if (!isFactory(source) || factoryVersion === null) return [];
  // The indexer refuses a binding without one.
  if (custody === undefined) throw new TypeError('a Foundation binding names its custody');
  const bound = Object.entries(contracts).map(([name, one]) => [name, one.runtimeCodeHash] as const);
  return [
    {
      chainId: document.chainId,
      factoryVersion,
      releaseDigest,
      factory: { address, runtimeCodeHash },
      custody,
      runtimeHashes: { factory: runtimeCodeHash, ...Object.fromEntries(bound) },
      platformFeeBps: FOUNDATION_PLATFORM_FEE_BPS[factoryVersion],
      status,
      source,
      graph: null,
      abiSha256: document.abiSha256,
    },
  ];
}

/** On Ethereum V1 is retained for historical coins (docs/reference/index-reads.md#foundation-releases). */
function graphsOf(source: PublishedSource): readonly Release[] {
  const { document, status } = source;
  return graphReleasesOf(document, source.release_digest).map((graph): Release => {
    const { factoryVersion, releaseDigest, factory, custody, moduleImplementation, launchAccount } = graph;
    const { poolManager } = document.contracts;
    return {
      chainId: document.chainId,
      factoryVersion,
      releaseDigest,
      factory,
      custody,
      runtimeHashes: {
        factory: factory.runtimeCodeHash,
        custody: custody.runtimeCodeHash,
        moduleImplementation: moduleImplementation.runtimeCodeHash,
        launchAccount: launchAccount.runtimeCodeHash,
        router: document.runtimeCodeHash,
        ...(poolManager === undefined ? {} : { poolManager: poolManager.runtimeCodeHash }),
      },
      platformFeeBps: FOUNDATION_PLATFORM_FEE_BPS[factoryVersion],
      status: factoryVersion === 'V1' && status === 'active' ? 'retained' : status,
      source,
      graph,
      // The binding names the ABI of the router, which every factory shares.
      abiSha256: GRAPH_ABIS[factoryVersion].sha256,
    };
  });
}

const shown = ({ address, runtimeCodeHash }: BoundContract) => ({ address: checksummed(address), runtimeCodeHash });

/** Returns the further factories that discovery of Ethereum names: graph factories of the first release and of its router. */
export function graphsShown(
  releases: readonly Release[],
): Pick<ModuleFoundation, 'moduleImplementation' | 'graphFactory'> {
  const [current] = releases;
  if (current?.graph == null) return {};
  const of = (version: FoundationFactoryVersion) => {
    const graph = releases.find(
      ({ source, factoryVersion }) => source === current.source && factoryVersion === version,
    )?.graph;
    if (graph == null) return null;
    const { factory, launchAccount, moduleImplementation } = graph;
    return {
      ...shown(factory),
      launchAccount: shown(launchAccount),
      moduleImplementation: shown(moduleImplementation),
    };
  };
  return {
    moduleImplementation: shown(current.graph.moduleImplementation),
    graphFactory: { v1: of('V1'), v2: of('V2') },
  };
}
