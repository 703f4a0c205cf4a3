import type { BlobStore } from '@launch/blob-store';
import type { RpcExchange } from '@launch/chain';
import {
  CUSTOM_LAUNCH_EVIDENCE_SCHEMA,
  customLaunchEvidenceSchema,
  type CustomLaunchEvidence,
} from '@launch/contracts/custom-launch';
import { canonicalizeJson } from '@launch/contracts/json';
import { FINALITY_EVIDENCE_SCHEMA, type FinalityEvidence, finalityEvidenceSchema } from '@launch/contracts/multi-role';
import { EVIDENCE_LIMITS, type FinalityProofs } from '@launch/contracts/launch';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { FinalityError } from '../finality.error.js';
import type { HandedOffLaunch } from '../launch/handed-off.types.js';

/** A terminal observation and its evidence. */
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
 * Writes the evidence as canonical JSON under its own digest.
 * @throws FinalityError EVIDENCE_TOO_LARGE: an observer pads its answers; a later poll may succeed.
 */
export async function storeEvidence(blobs: BlobStore, end: ObservedEnd): Promise<Sha256Digest> {
  const bytes = canonicalizeJson(evidenceOf(end));
  if (bytes.byteLength > EVIDENCE_LIMITS.bytes)
    throw new FinalityError('EVIDENCE_TOO_LARGE', `${bytes.byteLength} bytes`);
  return blobs.put(bytes);
}

/** Builds each family's bundle, with the launch's own context and hand-off. */
function evidenceOf(end: ObservedEnd): FinalityEvidence | CustomLaunchEvidence {
  const { launch } = end;
  const shared = sharedOf(end);
  return launch.family === 'multi-role.v2'
    ? finalityEvidenceSchema.parse({
        ...shared,
        schemaVersion: FINALITY_EVIDENCE_SCHEMA,
        context: launch.context,
        handoff: launch.handoff,
      } satisfies FinalityEvidence)
    : customLaunchEvidenceSchema.parse({
        ...shared,
        schemaVersion: CUSTOM_LAUNCH_EVIDENCE_SCHEMA,
        context: launch.context,
        handoff: launch.handoff,
      } satisfies CustomLaunchEvidence);
}

function sharedOf({
  launchId,
  handoffSha256,
  launch,
  memory,
  observedAt,
  exchanges,
  proofs,
}: ObservedEnd): Omit<FinalityEvidence, 'schemaVersion' | 'context' | 'handoff'> {
  const { handoff, context, target } = launch;
  const { requestSha256, requestHash, contextHash, artifactHash, permitDigest } = handoff;
  const { stage } = memory;
  if (stage !== 'finalized' && stage !== 'reverted_finalized' && stage !== 'expired')
    throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${stage}`);
  return {
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
    finalityPolicyId: context.providerProfile.finalityPolicyId,
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

/** Removes the observers' notes, which the exchanges already contain. */
export function withoutNotes<T extends { readonly observers: unknown }>(part: T | null): Omit<T, 'observers'> | null {
  if (part === null) return null;
  const { observers: _observers, ...rest } = part;
  return rest;
}
