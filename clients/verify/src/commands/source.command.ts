import { indexEvidenceSchema } from '@launch/contracts/index';
import { EVIDENCE_LIMITS } from '@launch/contracts/launch';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { judgeEvidence, sourceReleaseDigest } from '@launch/evm/sources';
import { Checks } from '../checks.js';
import { verdictOf, verdictOfChecks, type Verdict } from '../verdict.types.js';
import { canonicalDocument } from './canonical-document.js';

/** Facts about a record from elsewhere. */
export interface SourcePins {
  /** SHA-256 of the file; null if unknown. */
  readonly digest: Sha256Digest | null;
  /** `verificationDigest` of the record that the file proves. */
  readonly verification?: Sha256Digest;
  /** `sourceReleaseDigest` of the binding that the reader trusts. */
  readonly release?: Sha256Digest;
}

const NOT_CHECKED = [
  'that the chain answered so: ask both of your own nodes the reads that the file holds, at its block',
  'that the block is final',
];

/**
 * `source <file>`: judges an indexed launch again and offline, from the evidence that the index keeps: every log and every read
 * with its answer (docs/reference/index-sources.md#verification-procedure).
 */
export function verifySource(bytes: Uint8Array | null, pins: SourcePins): Verdict {
  const unpinned = missingPins(pins);
  const parsed = canonicalDocument(bytes, EVIDENCE_LIMITS.bytes, indexEvidenceSchema);
  if (bytes === null || !parsed.ok) return verdictOf('source', parsed.ok ? [] : parsed.findings, {}, unpinned);
  const evidence = parsed.value;
  const checks = new Checks();
  if (pins.digest !== null) checks.equal('address', pins.digest, sha256Digest(bytes));
  const release = sourceReleaseDigest(evidence.source);
  if (pins.release !== undefined) checks.equal('pin.release', pins.release, release);
  const { verdict, digest } = judgeEvidence(evidence);
  if (pins.verification !== undefined) checks.equal('pin.verification', pins.verification, digest);
  checks.holds('verdict', 'pass', verdict.kind === 'pass' ? null : `${verdict.reason}: ${verdict.detail}`);
  const { sourceVersion, chainId, address } = evidence.source;
  const details = {
    sourceVersion,
    chainId,
    sourceAddress: address,
    sourceReleaseDigest: release,
    verificationDigest: digest,
    blockNumber: evidence.block.number,
    blockHash: evidence.block.hash,
    transactionHash: evidence.transactionHash,
    launch: verdict.kind === 'pass' ? launchOf(verdict.launch.record) : null,
  };
  return verdictOfChecks('source', checks.all, details, [...unpinned, ...NOT_CHECKED]);
}

type Judged = Extract<ReturnType<typeof judgeEvidence>['verdict'], { kind: 'pass' }>['launch']['record'];

const launchOf = ({ tokenAddress, creator, launchId, poolId, hookAddress, name, symbol }: Judged) => ({
  tokenAddress,
  creator,
  launchId,
  poolId,
  hookAddress,
  name,
  symbol,
});

const missingPins = ({ digest, verification, release }: SourcePins): string[] => [
  ...(digest === null ? ['the content address: give --digest, or name the file by it'] : []),
  ...(verification === undefined
    ? ['that a record is about this launch: give its verificationDigest as --verification']
    : []),
  ...(release === undefined ? ['that the source is one you trust: give its sourceReleaseDigest as --release'] : []),
];
