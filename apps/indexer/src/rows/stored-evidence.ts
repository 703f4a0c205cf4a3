import type { BlobStore, NamedBlob } from '@launch/blob-store';
import type { JudgedLaunch } from '@launch/chain/sources';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';

/** The part of the store that an index needs: evidence of launches is stored before their rows. */
export type EvidenceStore = Pick<BlobStore, 'putAll'>;

/** The stored evidence of a launch's judgement. */
export interface LaunchEvidence {
  /** The digest of the evidence, from which anyone can judge the launch again. */
  readonly evidenceSha256: Sha256Digest;
  /** The verification, whose digest is the record's `verificationDigest`, and the evidence. */
  readonly documents: readonly NamedBlob[];
}

const named = (document: unknown): NamedBlob => {
  const bytes = canonicalizeJson(document);
  return { bytes, digest: sha256Digest(bytes) };
};

/** Serializes the evidence without storing it: that of a whole range is stored at once. */
export function evidenceOf({ documents: { verification, evidence } }: JudgedLaunch): LaunchEvidence {
  const judgedBy = named(evidence);
  return { evidenceSha256: judgedBy.digest, documents: [named(verification), judgedBy] };
}
