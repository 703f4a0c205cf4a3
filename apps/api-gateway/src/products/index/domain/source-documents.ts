import {
  abiUrlOf,
  type IndexSource,
  type PublishedSource,
  type SourceDeployment,
  type SourceVersion,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { checksummed, sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { SOURCE_ADAPTERS, type SourceAdapter } from '@launch/evm/sources';

export interface PublishedAbi {
  readonly sourceVersion: SourceVersion;
  readonly abi: SourceAdapter['abi'];
  /** Canonical JSON with the digest `abiSha256`. */
  readonly bytes: Uint8Array;
  readonly sha256: Sha256Digest;
}

/** The ABI of every source version that this release can verify. */
export const PUBLISHED_ABIS: readonly PublishedAbi[] = SOURCE_ADAPTERS.map(({ sourceVersion, abi }) => {
  const bytes = canonicalizeJson(abi);
  return { sourceVersion, abi, bytes, sha256: sha256Digest(bytes) };
});

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

/** Returns addresses and runtime hashes of a binding's contracts, by name. */
export function contractsOf(
  { contracts }: IndexSource,
  own: Readonly<Record<string, { readonly address: Hex; readonly runtimeCodeHash: Hex }>> = {},
): Pick<SourceDeployment, 'contracts' | 'runtimeCodeHashes'> {
  const all = Object.entries({ ...contracts, ...own });
  return {
    contracts: Object.fromEntries(all.map(([name, { address }]) => [name, checksummed(address)])),
    runtimeCodeHashes: Object.fromEntries(all.map(([name, { runtimeCodeHash }]) => [name, runtimeCodeHash])),
  };
}

/** Returns the deployment state of a source in the site's terms. */
export function deploymentOf({ document, status, release_digest }: PublishedSource): SourceDeployment {
  return {
    sourceVersion: document.sourceVersion,
    factoryVersion: document.factoryVersion,
    chainId: document.chainId,
    address: checksummed(document.address),
    runtimeCodeHash: document.runtimeCodeHash,
    startBlock: document.startBlock,
    endBlock: document.endBlock,
    status,
    releaseDigest: release_digest,
    ...contractsOf(document),
    profile: document.profile,
    sourceCommit: document.sourceCommit,
    abiUrl: abiUrlOf(document.abiSha256),
    abiSha256: document.abiSha256,
  };
}
