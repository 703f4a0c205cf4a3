import {
  abiUrlOf,
  type BoundContract,
  type GraphFactoryVersion,
  type PublishedSource,
  type SourceDeployment,
  type SourceVersion,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { GRAPH_FACTORY_ABIS, SOURCE_ADAPTERS, type SourceAdapter } from '@launch/evm/sources';

export interface PublishedAbi {
  readonly abi: SourceAdapter['abi'];
  /** Canonical JSON with the digest `abiSha256`. */
  readonly bytes: Uint8Array;
  readonly sha256: Sha256Digest;
}

function published(abi: SourceAdapter['abi']): PublishedAbi {
  const bytes = canonicalizeJson(abi);
  return { abi, bytes, sha256: sha256Digest(bytes) };
}

/** The ABI of every source version that this release can verify. */
export const SOURCE_ABIS: readonly (PublishedAbi & { readonly sourceVersion: SourceVersion })[] = SOURCE_ADAPTERS.map(
  ({ sourceVersion, abi }) => ({ sourceVersion, ...published(abi) }),
);

/** The ABI of every graph factory on Ethereum. */
export const GRAPH_ABIS: Readonly<Record<GraphFactoryVersion, PublishedAbi>> = {
  V1: published(GRAPH_FACTORY_ABIS.V1),
  V2: published(GRAPH_FACTORY_ABIS.V2),
};

const BY_DIGEST: ReadonlyMap<string, PublishedAbi> = new Map(
  [...SOURCE_ABIS, ...Object.values(GRAPH_ABIS)].map((one) => [one.sha256, one]),
);

/** Returns the ABI with a digest; null for an unknown one. */
export const publishedAbi = (sha256: string): PublishedAbi | null => BY_DIGEST.get(sha256) ?? null;

/** Routers of Ethereum, every generation. */
export const ETHEREUM_ROUTER = 'ethereum-custom-v1' satisfies SourceVersion;
export const isEthereumRouter = ({ document }: PublishedSource): boolean =>
  document.sourceVersion === ETHEREUM_ROUTER && document.chainId === 1;

/** Orders the active binding before all others, and the later of two equals first. */
export const byRank = (a: PublishedSource, b: PublishedSource): number =>
  Number(b.status === 'active') - Number(a.status === 'active') ||
  Number(BigInt(b.document.startBlock) - BigInt(a.document.startBlock));

/** A router of Ethereum: its representative binding, and the blocks that all its bindings cover together. */
export interface EthereumRouter {
  readonly binding: PublishedSource;
  readonly startBlock: string;
  readonly endBlock: string | null;
}

/** Returns one router for each chain and address, however many releases bind it, so that readers scan it once. */
export function ethereumRouters(sources: readonly PublishedSource[]): readonly EthereumRouter[] {
  const byPlace = Map.groupBy(
    sources.filter(isEthereumRouter),
    ({ document: { chainId, address } }) => `${chainId}/${address}`,
  );
  return [...byPlace.values()].map((bindings) => {
    const first = bindings.reduce((a, b) => (BigInt(b.document.startBlock) < BigInt(a.document.startBlock) ? b : a));
    const last = bindings.reduce((a, b) => (endsAfter(b, a) ? b : a));
    const [binding] = [...bindings].sort(byRank);
    return { binding: binding!, startBlock: first.document.startBlock, endBlock: last.document.endBlock };
  });
}

function endsAfter({ document: { endBlock } }: PublishedSource, other: PublishedSource): boolean {
  if (other.document.endBlock === null) return false;
  return endBlock === null || BigInt(endBlock) > BigInt(other.document.endBlock);
}

/** Writes an address as the reads of one origin do (docs/reference/index-reads.md#addresses). */
type AddressForm = (address: Hex) => Hex;
export const lowercase: AddressForm = (address) => address;

/** Returns addresses and runtime hashes of contracts, by name. */
export function contractsOf(
  contracts: Readonly<Record<string, BoundContract>>,
  form: AddressForm,
): Pick<SourceDeployment, 'contracts' | 'runtimeCodeHashes'> {
  const all = Object.entries(contracts);
  return {
    contracts: Object.fromEntries(all.map(([name, { address }]) => [name, form(address)])),
    runtimeCodeHashes: Object.fromEntries(all.map(([name, { runtimeCodeHash }]) => [name, runtimeCodeHash])),
  };
}

/** Returns the deployment state of a source, with addresses in a form. */
export function deploymentOf(
  { document, status, release_digest }: PublishedSource,
  form: AddressForm,
): SourceDeployment {
  return {
    sourceVersion: document.sourceVersion,
    factoryVersion: document.factoryVersion,
    chainId: document.chainId,
    address: form(document.address),
    runtimeCodeHash: document.runtimeCodeHash,
    startBlock: document.startBlock,
    endBlock: document.endBlock,
    status,
    releaseDigest: release_digest,
    ...contractsOf(document.contracts, form),
    profile: document.profile,
    sourceCommit: document.sourceCommit,
    abiUrl: abiUrlOf(document.abiSha256),
    abiSha256: document.abiSha256,
  };
}
