import type { BlobStore } from '@launch/blob-store';
import type { RpcExchange } from '@launch/chain';
import {
  EVIDENCE_LIMITS,
  finalityEvidenceSchema,
  FINALITY_EVIDENCE_SCHEMA,
  type FinalityEvidence,
  type FinalityProofs,
  type Sha256Digest,
} from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { FinalityError } from '../finality.error.js';
import type { HandedOffLaunch } from '../launch/launch.loader.js';

/** A terminal observation and all it rests on. */
export interface ObservedEnd {
  readonly launchId: string;
  readonly handoffSha256: Sha256Digest;
  readonly launch: HandedOffLaunch;
  readonly memory: ObservationMemory;
  readonly observedAt: string;
  /** In the order of the answers. */
  readonly exchanges: readonly RpcExchange[];
  readonly proofs: FinalityProofs | null;
}

/**
 * Writes the owner's evidence as canonical JSON under its own digest.
 * @throws FinalityError EVIDENCE_TOO_LARGE: an observer pads its answers; another look may find it mended.
 */
export async function storeEvidence(blobs: BlobStore, end: ObservedEnd): Promise<Sha256Digest> {
  const bytes = canonicalizeJson(finalityEvidenceSchema.parse(evidenceOf(end)));
  if (bytes.byteLength > EVIDENCE_LIMITS.bytes)
    throw new FinalityError('EVIDENCE_TOO_LARGE', `${bytes.byteLength} bytes`);
  return blobs.put(bytes);
}

function evidenceOf({
  launchId,
  handoffSha256,
  launch,
  memory,
  observedAt,
  exchanges,
  proofs,
}: ObservedEnd): FinalityEvidence {
  const { handoff, request, target } = launch;
  const { requestSha256, requestHash, contextHash, artifactHash, permitDigest } = handoff;
  const { stage } = memory;
  if (stage !== 'finalized' && stage !== 'reverted_finalized' && stage !== 'expired')
    throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${stage}`);
  return {
    schemaVersion: FINALITY_EVIDENCE_SCHEMA,
    launch: {
      launchId,
      onchainLaunchId: target.stamp.launchId,
      requestSha256,
      requestHash,
      contextHash,
      artifactHash,
      permitDigest,
      handoffSha256,
    },
    finalityPolicyId: request.context.providerProfile.finalityPolicyId,
    context: request.context,
    handoff,
    outcome: stage,
    conclusion: {
      transactionHash: memory.transactionHash,
      inclusion: withoutNotes(memory.inclusion),
      posting: withoutNotes(memory.posting),
      checkpoint: withoutNotes(memory.checkpoint),
    },
    observedAt,
    exchanges: exchanges as FinalityEvidence['exchanges'],
    proofs,
  };
}

/** Who answered stands in the exchanges themselves. */
function withoutNotes<T extends { readonly observers: unknown }>(part: T | null): Omit<T, 'observers'> | null {
  if (part === null) return null;
  const { observers: _observers, ...rest } = part;
  return rest;
}
