import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { customLaunchFinding, customLaunchFindingsOf } from '@launch/contracts/errors';
import { planHandoffSchema } from '@launch/contracts/plans';
import { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import {
  CustomLaunchProjectionRepository,
  type CustomLaunchIdentity,
} from '../../../core/projections/custom-launch-projection.repository.js';
import type { FamilyProjections } from '../../../core/projections/family-projections.js';
import type { ProjectionActivities } from '../../../core/projections/projection.activities.js';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import { ProjectionService } from '../../../core/projections/projection.service.js';
import { mustAgree, StoredDocuments } from '../../../core/projections/stored-documents.js';
import { PlanProjectionRepository } from '../data/plan-projection.repository.js';

/** The rows of plans, as admission moves them. */
export type AdmittedPlanRows = Pick<
  PlanProjectionRepository,
  'stateOf' | 'waits' | 'found' | 'refused' | 'handedOff' | 'endedByAdmission'
>;
type Input<Name extends keyof ProjectionActivities> = Parameters<ProjectionActivities[Name]>[0];

/** Writes the decisions of admission about a plan; `PlanStepsService` writes its steps. */
@Injectable()
export class PlanProjections implements FamilyProjections, OnModuleInit {
  readonly family = 'plan.v1';

  constructor(
    @Inject(ProjectionService) private readonly service: Pick<ProjectionService, 'register'>,
    @Inject(PlanProjectionRepository) private readonly plans: AdmittedPlanRows,
    @Inject(CustomLaunchProjectionRepository)
    private readonly launches: Pick<CustomLaunchProjectionRepository, 'identityOf'>,
    @Inject(LaunchRelayService) private readonly relay: Pick<LaunchRelayService, 'startSoon'>,
    private readonly documents: StoredDocuments,
  ) {}

  onModuleInit(): void {
    this.service.register(this);
  }

  async recordAdmitting({ launchId, reason }: Input<'recordAdmitting'>): Promise<void> {
    if (reason !== undefined) await this.plans.waits(launchId, reason);
  }

  /** Records the findings of the source assessment. A plan does not show the decision itself. */
  async recordAssessment({ launchId, findings }: Input<'recordAssessment'>): Promise<void> {
    await this.plans.found(launchId, customLaunchFindingsOf(findings));
  }

  async recordRefused({ launchId, findings, nonceReleased }: Input<'recordRefused'>): Promise<void> {
    await this.plans.refused(launchId, customLaunchFindingsOf(findings), nonceReleased);
  }

  /** The steps' transactions stay in the blob until each is offered. */
  async recordHandoff({ launchId, handoffSha256 }: Input<'recordHandoff'>): Promise<void> {
    const { value: handoff } = await this.documents.read(handoffSha256, planHandoffSchema);
    const plan = await this.identityOf(launchId);
    const state = await this.plans.stateOf(launchId);
    mustAgree([
      ['handoff.planId', handoff.planId, launchId],
      ['handoff.requestSha256', handoff.requestSha256, plan.requestSha256],
      ['handoff.requestHash', handoff.requestHash, plan.requestHash],
      ['handoff.contextHash', handoff.contextHash, plan.contextHash],
      ['handoff.artifactHash', handoff.artifactHash, plan.artifactHash],
      ['handoff.validAfter', handoff.validAfter, plan.validAfter],
      ['handoff.deadline', handoff.deadline, plan.deadline],
      [
        'handoff.steps',
        handoff.steps.map(({ stepId }) => stepId).join(),
        (state?.steps ?? []).map(({ stepId }) => stepId).join(),
      ],
      ...handoff.steps.flatMap((step) =>
        (step.kind === 'atomic_launch' ? step.calls : [step.walletTransaction]).map(
          ({ to }) => ['handoff.to', to, plan.router] as const,
        ),
      ),
      ...handoff.steps.flatMap((step) =>
        step.kind === 'atomic_launch' ? [] : [['handoff.from', step.walletTransaction.from, plan.controller] as const],
      ),
    ]);
    await this.plans.handedOff(launchId, handoffSha256, handoff.steps.length);
    this.relay.startSoon(launchId);
  }

  async recordFailed({ launchId, findings }: Input<'recordFailed'>): Promise<void> {
    await this.plans.endedByAdmission(launchId, 'failed', customLaunchFindingsOf(findings));
  }

  async recordExpired({ launchId }: Input<'recordExpired'>): Promise<void> {
    await this.plans.endedByAdmission(launchId, 'expired', [customLaunchFinding('PERMIT_EXPIRED', '')]);
  }

  private async identityOf(planId: string): Promise<CustomLaunchIdentity> {
    const identity = await this.launches.identityOf(planId);
    if (identity === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'launchId');
    return identity;
  }
}
