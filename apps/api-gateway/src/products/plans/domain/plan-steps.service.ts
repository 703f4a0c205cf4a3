import { Injectable } from '@nestjs/common';
import type { CustomLaunchFinality } from '@launch/contracts/custom-launch';
import { customLaunchFindingsOf } from '@launch/contracts/errors';
import type {
  PlanGatewayActivities,
  RecordPlanEndedInput,
  RecordPlanStepsInput,
  StepFinality as ObservedStepFinality,
  StepSimulation,
} from '@launch/contracts/orchestration';
import { planHandoffSchema, type PlanHandoff, type PlanHandoffStep } from '@launch/contracts/plans';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { failpoint } from '@launch/platform';
import type { StepAuthorization, StepFinality, StepTransaction } from '../data/plan.row.js';
import { CustomLaunchProjectionRepository } from '../../../core/projections/custom-launch-projection.repository.js';
import { CustomLaunchPublicationService } from '../../../core/projections/custom-launch-publication.service.js';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import { mustAgree, StoredDocuments } from '../../../core/projections/stored-documents.js';
import { PlanProjectionRepository, type PlanState } from '../data/plan-projection.repository.js';

/** Writes the decisions of a running plan's workflow about its steps into the client's view. */
@Injectable()
export class PlanStepsService implements PlanGatewayActivities {
  constructor(
    private readonly plans: PlanProjectionRepository,
    private readonly launches: CustomLaunchProjectionRepository,
    private readonly publications: CustomLaunchPublicationService,
    private readonly documents: StoredDocuments,
  ) {}

  /** An offered step shows the hand-off's own bytes, and where they were seen to succeed. */
  async recordPlanSteps({ planId, sequence, status, steps }: RecordPlanStepsInput): Promise<void> {
    const state = await this.stateOf(planId);
    const { handoffSha256 } = state;
    if (handoffSha256 === null) throw new ProjectionError('PROJECTION_MISMATCH', 'handoffSha256');
    const unknown = steps.find(({ stepId }) => state.steps.every((one) => one.stepId !== stepId));
    if (unknown !== undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'steps.stepId');
    const offers = steps.filter(
      ({ stepId, simulation }) =>
        simulation !== null && state.steps.some((one) => one.stepId === stepId && !one.offered),
    );
    const handoff = offers.length === 0 ? null : await this.handoffOf(planId, state, handoffSha256);
    await this.plans.move(
      planId,
      sequence,
      status,
      steps.map((step) => ({
        stepId: step.stepId,
        status: step.status,
        authorization:
          handoff === null || step.simulation === null
            ? null
            : authorizationOf(handoff, handoffSha256, step.stepId, step.simulation),
        finality: finalityOf(step.finality),
        transactions: step.transactions,
        evidenceSha256: step.evidenceSha256,
      })),
    );
    if (offers.length > 0) failpoint('gateway.after-step-offer');
  }

  async recordPlanEnded({ planId, outcome, findings, record }: RecordPlanEndedInput): Promise<void> {
    const ended =
      outcome === 'finalized'
        ? await this.finalize(planId, record)
        : await this.plans.end(planId, outcome, customLaunchFindingsOf(findings));
    if (!ended) throw new ProjectionError('PROJECTION_CONFLICT', outcome);
  }

  private async finalize(planId: string, record: RecordPlanEndedInput['record']): Promise<boolean> {
    if (record === null) throw new ProjectionError('PROJECTION_MISMATCH', 'record');
    const identity = await this.launches.identityOf(planId);
    if (identity === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'planId');
    const { recordSha256, evidenceSha256 } = record;
    const finality = await this.stampFinality(planId);
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
  private async stampFinality(planId: string): Promise<CustomLaunchFinality> {
    const step = await this.plans.stampingStep(planId);
    if (step === null || step.finality === null) throw new ProjectionError('PROJECTION_MISMATCH', 'steps.finality');
    const finality = JSON.parse(step.finality) as StepFinality;
    mustAgree([['steps.finality.stage', finality.stage, 'ethereum_finalized']]);
    return {
      ...finality,
      schemaVersion: 'service.custom-launch-finality.v4',
      launchId: planId,
      transactions: (JSON.parse(step.transactions) as StepTransaction[]).filter(({ source }) => source === 'observed'),
      observation: null,
    };
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

/** Adapts the service to Temporal's activities. */
export const planWork = (service: PlanStepsService): PlanGatewayActivities => ({
  recordPlanSteps: (input) => service.recordPlanSteps(input),
  recordPlanEnded: (input) => service.recordPlanEnded(input),
});

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

const finalityOf = ({
  stage,
  inclusion,
  posting,
  checkpoint,
  estimatedNextStageAt,
}: ObservedStepFinality): StepFinality => ({
  stage,
  l2Inclusion: inclusion,
  l1Posting: posting,
  // By the finality rule it is the smaller of both L1 observers' finalized blocks, and is named as that.
  l1FinalizedCheckpoint: checkpoint === null ? null : { ...checkpoint, common: checkpoint.blockNumber },
  estimatedNextStageAt,
});
