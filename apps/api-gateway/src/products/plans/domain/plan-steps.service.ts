import { Injectable } from '@nestjs/common';
import type { CustomLaunchFinality } from '@launch/contracts/custom-launch';
import { customLaunchFindingsOf, finding } from '@launch/contracts/errors';
import type {
  ObservedStage,
  PlanOutcome,
  RecordPlanEndedInput,
  StepPoll,
  StepSimulation,
} from '@launch/contracts/orchestration';
import { planHandoffSchema, type PlanHandoff, type PlanHandoffStep } from '@launch/contracts/plans';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { isStepEnd, planStatusOf } from '@launch/contracts/states';
import { failpoint } from '@launch/platform';
import type { StepAuthorization, StepFinality, StepTransaction } from '../data/plan.row.js';
import { CustomLaunchProjectionRepository } from '../../../core/projections/custom-launch-projection.repository.js';
import { CustomLaunchPublicationService } from '../../../core/projections/custom-launch-publication.service.js';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import type { Refusal } from '../../../core/projections/statement-verifier.js';
import { mustAgree, StoredDocuments } from '../../../core/projections/stored-documents.js';
import { PlanProjectionRepository, type PlanState, type StepRecord } from '../data/plan-projection.repository.js';
import { judgeSteps, type ReportedStep } from './judge-steps.js';

/** Writes the verified reports of a running plan's workflow into the client's view. Returns the reason of a refusal. */
@Injectable()
export class PlanStepsService {
  constructor(
    private readonly plans: PlanProjectionRepository,
    private readonly launches: CustomLaunchProjectionRepository,
    private readonly publications: CustomLaunchPublicationService,
    private readonly documents: StoredDocuments,
  ) {}

  /** An offered step shows the hand-off's own bytes, and where they were seen to succeed. */
  async move(planId: string, sequence: number, reported: readonly ReportedStep[]): Promise<Refusal | null> {
    const state = await this.stateOf(planId);
    const { handoffSha256 } = state;
    if (handoffSha256 === null) throw new ProjectionError('PROJECTION_MISMATCH', 'handoffSha256');
    const unknown = reported.find(({ stepId }) => state.steps.every((one) => one.stepId !== stepId));
    if (unknown !== undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'steps.stepId');
    const offers = reported.filter(
      ({ stepId, simulation }) =>
        simulation !== null && state.steps.some((one) => one.stepId === stepId && !one.offered),
    );
    const handoff = offers.length === 0 ? null : await this.handoffOf(planId, state, handoffSha256);
    const refusal = await this.plans.move(planId, sequence, (stored) => {
      const judged = judgeSteps(stored, sequence, reported);
      if (judged.kind === 'refused') return judged;
      const writes = judged.steps.map(({ stepId, status, polls, simulation, poll }) => ({
        stepId,
        status,
        polls,
        authorization:
          handoff === null || simulation === null ? null : authorizationOf(handoff, handoffSha256, stepId, simulation),
        finality: finalityOf(poll),
        transactions: poll?.transactions ?? [],
        evidenceSha256: poll?.evidenceSha256 ?? null,
      }));
      return { kind: 'accepted', writes };
    });
    if (refusal === null && offers.length > 0) failpoint('gateway.after-step-offer');
    return refusal;
  }

  /** Ends the plan if all of its stored steps ended so. */
  async end(
    planId: string,
    outcome: PlanOutcome,
    record: Omit<NonNullable<RecordPlanEndedInput['record']>, 'signed'> | null,
  ): Promise<Refusal | null> {
    await this.stateOf(planId);
    const steps = await this.plans.stepsOf(planId);
    const statuses = steps.map(({ status }) => status);
    if (!statuses.every(isStepEnd) || planStatusOf(statuses) !== outcome) return 'unsigned';
    const ended =
      outcome === 'finalized'
        ? await this.finalize(planId, record)
        : await this.plans.end(planId, outcome, customLaunchFindingsOf(steps.flatMap(revertFindings)));
    if (!ended) throw new ProjectionError('PROJECTION_CONFLICT', outcome);
    return null;
  }

  private async finalize(
    planId: string,
    record: Omit<NonNullable<RecordPlanEndedInput['record']>, 'signed'> | null,
  ): Promise<boolean> {
    if (record === null) throw new ProjectionError('PROJECTION_MISMATCH', 'record');
    const identity = await this.launches.identityOf(planId);
    if (identity === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'planId');
    const { recordSha256, evidenceSha256 } = record;
    const { finality, evidence } = await this.stampFinality(planId);
    if (evidence !== evidenceSha256) throw new ProjectionError('PROJECTION_MISMATCH', 'record.evidenceSha256');
    const transactionHash = finality.l2Inclusion?.transactionHash;
    if (transactionHash === undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'steps.finality');
    const outcome = await this.publications.judge({
      requestKind: 'plan',
      launchId: planId,
      identity,
      finality,
      recordSha256,
      evidenceSha256,
    });
    return this.plans.finalize(planId, transactionHash, evidenceSha256, outcome);
  }

  /** Returns the finality of the launch's stamp: the last observation of the plan's last step. */
  private async stampFinality(
    planId: string,
  ): Promise<{ readonly finality: CustomLaunchFinality; readonly evidence: string | null }> {
    const step = await this.plans.stampingStep(planId);
    if (step === null || step.finality === null) throw new ProjectionError('PROJECTION_MISMATCH', 'steps.finality');
    const finality = JSON.parse(step.finality) as StepFinality;
    mustAgree([['steps.finality.stage', finality.stage, 'ethereum_finalized']]);
    const stamped: CustomLaunchFinality = {
      ...finality,
      schemaVersion: 'service.custom-launch-finality.v4',
      launchId: planId,
      transactions: (JSON.parse(step.transactions) as StepTransaction[]).filter(({ source }) => source === 'observed'),
      observation: null,
    };
    return { finality: stamped, evidence: step.evidenceSha256 };
  }

  private async stateOf(planId: string): Promise<PlanState> {
    const state = await this.plans.stateOf(planId);
    if (state === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'planId');
    return state;
  }

  private async handoffOf(
    planId: string,
    { requestSha256 }: PlanState,
    handoffSha256: Sha256Digest,
  ): Promise<PlanHandoff> {
    const { value } = await this.documents.read(handoffSha256, planHandoffSchema);
    mustAgree([
      ['handoff.planId', value.planId, planId],
      ['handoff.requestSha256', value.requestSha256, requestSha256],
    ]);
    return value;
  }
}

/** Returns the transaction for a step and the wallet's checks before it: the hand-off's bytes. */
function authorizationOf(
  handoff: PlanHandoff,
  handoffSha256: Sha256Digest,
  stepId: string,
  { blockNumber, blockHash, gasUsed }: StepSimulation,
): StepAuthorization {
  const step: PlanHandoffStep | undefined = handoff.steps.find((one) => one.stepId === stepId);
  if (step === undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'steps.stepId');
  const { validAfter, deadline, requestSha256 } = handoff;
  if (step.kind === 'atomic_launch')
    return {
      form: 'atomic.v1',
      calls: step.calls,
      atomicRequired: true,
      capabilities: { '0x1237': { atomic: { status: 'supported' } } },
      validAfter,
      deadline,
      digest: step.digest,
    };
  return {
    form: 'transaction.v1',
    ...step.walletTransaction,
    validAfter,
    deadline,
    requestSha256,
    artifactSha256: handoffSha256,
    simulation: { blockNumber, blockHash, gasUsed },
  };
}

/** Public stages: a step that was only sent, reverted or expired is `pending`. */
const STAGES: Readonly<Partial<Record<ObservedStage, StepFinality['stage']>>> = {
  included: 'included',
  posted: 'posted',
  finalized: 'ethereum_finalized',
};

/** Returns a poll as its owner reads it. A stage claims no more than its evidence shows. */
function finalityOf(poll: StepPoll | null): StepFinality {
  const memory = poll?.memory;
  const stage = STAGES[memory?.stage ?? 'pending'] ?? 'pending';
  const checkpoint = stage === 'ethereum_finalized' ? (memory?.checkpoint ?? null) : null;
  return {
    stage,
    l2Inclusion: stage === 'pending' ? null : (memory?.inclusion ?? null),
    l1Posting: stage === 'pending' ? null : (memory?.posting ?? null),
    // By the finality rule it is the smaller of both L1 observers' finalized blocks, and is named as that.
    l1FinalizedCheckpoint: checkpoint === null ? null : { ...checkpoint, common: checkpoint.blockNumber },
    estimatedNextStageAt: poll?.estimatedNextStageAt ?? null,
  };
}

function revertFindings({ stepId, status, transactions }: StepRecord) {
  if (status !== 'reverted') return [];
  const named = JSON.parse(transactions) as StepTransaction[];
  const hash = named.find((one) => one.status === 'reverted')?.transactionHash ?? '';
  return [finding('LAUNCH_REVERTED', '', { actual: `step ${stepId}, transaction ${hash}` })];
}
