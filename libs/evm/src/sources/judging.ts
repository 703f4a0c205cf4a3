import type { IndexSource, LaunchRecord, QuarantineReason, SourceVersion } from '@launch/contracts/index';
import { canonicalSha256, type Sha256Digest } from '@launch/contracts/primitives';
import type { Candidate, Fault, SourceReceipt, Verdict } from './source-adapter.js';

export const fault = (reason: QuarantineReason, detail: string): Fault => ({ reason, detail });
export const fail = ({ reason, detail }: Fault): Verdict => ({ kind: 'fail', reason, detail });

/** The first of some checks that fails; later ones may rest on it, and are not asked. */
export function firstFault(checks: readonly (() => Fault | null)[]): Fault | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}

/** Where a launch stands, and by which source: the members that every record has from its place. */
export function recordPlace(
  sourceKind: SourceVersion,
  source: IndexSource,
  { block, transactionHash }: SourceReceipt,
  { anchor }: Candidate,
): Pick<
  LaunchRecord,
  | 'chainId'
  | 'sourceKind'
  | 'factoryVersion'
  | 'sourceAddress'
  | 'sourceReleaseDigest'
  | 'transactionHash'
  | 'blockNumber'
  | 'blockHash'
  | 'logIndex'
  | 'launchedAt'
> {
  return {
    chainId: source.chainId,
    sourceKind,
    factoryVersion: source.factoryVersion,
    sourceAddress: source.address,
    sourceReleaseDigest: sourceReleaseDigest(source),
    transactionHash,
    blockNumber: block.number,
    blockHash: block.hash,
    logIndex: anchor.logIndex,
    launchedAt: new Date(Number(block.timestamp) * 1_000).toISOString(),
  };
}

/** Returns a source's identity: the SHA-256 of its document's canonical JSON. */
export const sourceReleaseDigest = (source: IndexSource): Sha256Digest => canonicalSha256(source);
