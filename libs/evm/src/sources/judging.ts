import type { IndexSource, LaunchRecord, QuarantineReason, SourceVersion } from '@launch/contracts/index';
import { canonicalSha256, type Sha256Digest } from '@launch/contracts/primitives';
import type { Candidate, Fault, SourceReceipt, Verdict } from './source-adapter.js';

export const fault = (reason: QuarantineReason, detail: string): Fault => ({ reason, detail });
export const fail = ({ reason, detail }: Fault): Verdict => ({ kind: 'fail', reason, detail });

/** Returns the first fault among some checks. Later checks may depend on earlier ones and do not run after a fault. */
export function firstFault(checks: readonly (() => Fault | null)[]): Fault | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}

/** Returns the members that every record takes from its position and its source. */
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
