import type { BlobStore, Sha256Digest } from '@launch/blob-store';
import type { RpcExchange } from '@launch/chain';
import { canonicalizeJson } from '@launch/contracts/json';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { FinalityError } from '../finality.error.js';

/** Evidence of one terminal observation: who was asked what, and what exactly they answered. */
export interface EvidenceBundle {
  readonly schemaVersion: 'service.multi-role-finality-evidence.v1';
  readonly launchId: string;
  readonly requestSha256: string;
  readonly handoffSha256: string;
  readonly finalityPolicyId: string;
  readonly memory: ObservationMemory;
  readonly observedAt: string;
  /** In the order of the answers. */
  readonly exchanges: readonly RpcExchange[];
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Writes the bundle as canonical JSON under its own digest. */
export async function storeEvidence(blobs: BlobStore, bundle: EvidenceBundle): Promise<Sha256Digest> {
  const bytes = canonicalizeJson(bundle);
  if (bytes.byteLength > MAX_BYTES) throw new FinalityError('EVIDENCE_TOO_LARGE', `${bytes.byteLength} bytes`);
  return blobs.put(bytes);
}
