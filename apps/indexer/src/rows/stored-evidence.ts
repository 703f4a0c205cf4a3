import type { BlobStore, NamedBlob } from '@launch/blob-store';
import type { JudgedLaunch } from '@launch/chain/sources';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';

/** The store as an index needs it: what launches were judged by is kept before their rows are. */
export type EvidenceStore = Pick<BlobStore, 'putAll'>;

/** What a launch was judged by, as it is kept. */
export interface LaunchEvidence {
  /** Of the evidence, by which everybody judges the launch again. */
  readonly evidenceSha256: Sha256Digest;
  /** The verification, whose digest is the record's `verificationDigest`, and the evidence. */
  readonly documents: readonly NamedBlob[];
}

const named = (document: unknown): NamedBlob => {
  const bytes = canonicalizeJson(document);
  return { bytes, digest: sha256Digest(bytes) };
};

/** Written and not stored yet: those of a whole range are stored at once. */
export function evidenceOf({ documents: { verification, evidence } }: JudgedLaunch): LaunchEvidence {
  const judgedBy = named(evidence);
  return { evidenceSha256: judgedBy.digest, documents: [named(verification), judgedBy] };
}
