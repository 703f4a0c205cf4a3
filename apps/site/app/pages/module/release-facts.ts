import {
  getFoundationAvailability,
  getIndexStatus,
  getModuleFoundation,
  getModuleIndexer,
  listFoundationReleases,
  type ApiClient,
  type ValueOf,
} from '@launch/sdk/operations';
import { readPublic, type Read } from '../../site/gateway.js';

const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/;

/** Reads the digest of a release, with or without `sha256:`; null if the text is none. */
export function releaseDigestOf(text: string | undefined): `sha256:${string}` | null {
  const hex = DIGEST.exec(text?.toLowerCase() ?? '')?.[1];
  return hex === undefined ? null : `sha256:${hex}`;
}

/** A contract that the service follows, as its discovery publishes it. */
export type Deployment = ValueOf<'getModuleIndexer', 200>['deployments'][number];
/** A release of the Foundation factory. */
export type FoundationRelease = ValueOf<'listFoundationReleases', 200>['items'][number];
export type FoundationDetails = ValueOf<'getModuleFoundation', 200>['releases'][number];
export type SourceState = ValueOf<'getIndexStatus', 200>['sources'][number];
export type Availability = ValueOf<'getFoundationAvailability', 200>;

/** The public reads about one release. Reads that follow from another are null where they do not apply. */
export interface ReleaseReads {
  readonly indexer: Read<ValueOf<'getModuleIndexer', 200>>;
  readonly foundation: Read<ValueOf<'listFoundationReleases', 200>>;
  readonly status: Read<ValueOf<'getIndexStatus', 200>>;
  readonly details: Read<ValueOf<'getModuleFoundation', 200>> | null;
  readonly availability: Read<Availability> | null;
}

/** Reads every public route that can know the release. */
export async function readRelease(api: ApiClient, digest: `sha256:${string}`): Promise<ReleaseReads> {
  const [indexer, foundation, status] = await Promise.all([
    readPublic(api, getModuleIndexer, {}),
    readPublic(api, listFoundationReleases, {}),
    readPublic(api, getIndexStatus, {}),
  ]);
  const listed =
    foundation.is === 'value'
      ? foundation.value.items.find(({ releaseDigest }) => releaseDigest === digest)
      : undefined;
  if (listed === undefined) return { indexer, foundation, status, details: null, availability: null };
  const [details, availability] = await Promise.all([
    readPublic(api, getModuleFoundation, { query: { chainId: listed.chainId } }),
    readPublic(api, getFoundationAvailability, { path: { releaseHex: digest.slice('sha256:'.length) } }),
  ]);
  return { indexer, foundation, status, details, availability };
}

/** The facts about a release in the reads. Each member is null where no route has it. */
export interface ReleaseFacts {
  readonly deployment: Deployment | null;
  readonly foundation: FoundationRelease | null;
  readonly details: FoundationDetails | null;
  readonly source: SourceState | null;
}

/** Returns the facts about a release; null if no route that answered knows it. */
export function releaseFacts(reads: ReleaseReads, digest: string): ReleaseFacts | null {
  const { indexer, foundation, status, details } = reads;
  const isOne = ({ releaseDigest }: { readonly releaseDigest: string }): boolean => releaseDigest === digest;
  const facts: ReleaseFacts = {
    deployment: indexer.is === 'value' ? (indexer.value.deployments.find(isOne) ?? null) : null,
    foundation: foundation.is === 'value' ? (foundation.value.items.find(isOne) ?? null) : null,
    details: details?.is === 'value' ? (details.value.releases.find(isOne) ?? null) : null,
    source: status.is === 'value' ? (status.value.sources.find(isOne) ?? null) : null,
  };
  return Object.values(facts).every((fact) => fact === null) ? null : facts;
}

/** Returns the first read that failed, because of which a release that was not found may exist. */
export const failedRead = ({ indexer, foundation, status }: ReleaseReads) =>
  [indexer, foundation, status].find((read) => read.is === 'unavailable') ?? null;

/** A contract of a release with the hash of its code. */
export interface ReleaseContract {
  readonly name: string;
  readonly address: string | null;
  readonly codeHash: string | null;
}

/** Returns the contracts of a release, the one whose events are launches first. */
export function contractsOf({ deployment, foundation, details, source }: ReleaseFacts): readonly ReleaseContract[] {
  if (deployment !== null)
    return [
      { name: 'launch contract', address: deployment.address, codeHash: deployment.runtimeCodeHash },
      ...named(deployment.contracts, deployment.runtimeCodeHashes),
    ];
  if (details !== null)
    return named({ factory: details.factoryAddress, custody: details.custodyAddress }, details.runtimeHashes);
  const address = foundation?.factoryAddress ?? source?.address ?? null;
  return [{ name: 'launch contract', address, codeHash: null }];
}

const named = (
  addresses: Readonly<Record<string, string>>,
  hashes: Readonly<Record<string, string>>,
): readonly ReleaseContract[] =>
  [...new Set([...Object.keys(addresses), ...Object.keys(hashes)])].map((name) => ({
    name,
    address: addresses[name] ?? null,
    codeHash: hashes[name] ?? null,
  }));
