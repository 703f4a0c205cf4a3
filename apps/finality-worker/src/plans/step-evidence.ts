import type { BlobStore } from '@launch/blob-store';
import type { RpcExchange } from '@launch/chain';
import { canonicalizeJson } from '@launch/contracts/json';
import { EVIDENCE_LIMITS, type StepProofs } from '@launch/contracts/launch';
import type { ObservationMemory, StepInput } from '@launch/contracts/orchestration';
import {
  PLAN_STEP_EVIDENCE_SCHEMA,
  planStepEvidenceSchema,
  type PlanStepEvidence,
  type StepProvenBy,
} from '@launch/contracts/plans';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { onchainLaunchIdV1 } from '@launch/evm';
import { withoutNotes } from '../evidence/evidence.bundle.js';
import { FinalityError } from '../finality.error.js';
import { stepOf, type HandedOffPlan, type HandedOffStep } from './plan.loader.js';

/** A terminal observation of a step and its evidence. */
export interface ObservedStepEnd {
  readonly input: StepInput;
  readonly plan: HandedOffPlan;
  readonly memory: ObservationMemory;
  readonly observedAt: string;
  /** In the order of the answers. */
  readonly exchanges: readonly RpcExchange[];
  readonly proofs: StepProofs | null;
}

/**
 * Writes the evidence of a step as canonical JSON under its own digest.
 * @throws FinalityError EVIDENCE_TOO_LARGE, as for a launch.
 */
export async function storeStepEvidence(blobs: BlobStore, end: ObservedStepEnd): Promise<Sha256Digest> {
  const bytes = canonicalizeJson(planStepEvidenceSchema.parse(evidenceOf(end)));
  if (bytes.byteLength > EVIDENCE_LIMITS.bytes)
    throw new FinalityError('EVIDENCE_TOO_LARGE', `${bytes.byteLength} bytes`);
  return blobs.put(bytes);
}

function evidenceOf({ input, plan, memory, observedAt, exchanges, proofs }: ObservedStepEnd): PlanStepEvidence {
  const { handoff, context } = plan;
  const { requestSha256, requestHash, contextHash, artifactHash, permitDigest, validAfter, deadline } = handoff;
  const { step, target } = stepOf(plan, input.stepId);
  const { stage } = memory;
  if (stage !== 'finalized' && stage !== 'reverted_finalized' && stage !== 'expired')
    throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${stage}`);
  return {
    schemaVersion: PLAN_STEP_EVIDENCE_SCHEMA,
    launch: {
      launchId: input.planId,
      onchainLaunchId: onchainLaunchIdV1(target, target.controller, target.nonce),
      requestSha256,
      requestHash,
      contextHash,
      artifactHash,
      permitDigest,
      handoffSha256: input.handoffSha256,
    },
    finalityPolicyId: context.providerProfile.finalityPolicyId,
    context,
    handoff: { validAfter, deadline, step },
    provenBy: provenBy(target),
    outcome: stage,
    conclusion: {
      transactionHash: memory.transactionHash,
      inclusion: withoutNotes(memory.inclusion),
      posting: withoutNotes(memory.posting),
      checkpoint: withoutNotes(memory.checkpoint),
    },
    observedAt,
    exchanges: exchanges as PlanStepEvidence['exchanges'],
    proofs,
  };
}

function provenBy(target: HandedOffStep['target']): StepProvenBy {
  if (target.provenBy === 'code') return 'transaction_and_code';
  return target.transaction === null ? 'stamp' : 'transaction_and_stamp';
}
