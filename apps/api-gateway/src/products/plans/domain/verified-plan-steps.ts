import type {
  PlanGatewayActivities,
  RecordPlanEndedInput,
  RecordPlanStepsInput,
} from '@launch/contracts/orchestration';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import type { StatedLaunchRepository, StatedRow } from '../../../core/projections/stated-launch.repository.js';
import type { StatementVerifier } from '../../../core/projections/statement-verifier.js';
import type { Clock } from '../../../platform/tokens.js';
import type { PlanStepsService } from './plan-steps.service.js';

/** The clocks of Temporal and of this process differ by at most this. */
const SKEW_MS = 60_000;

export interface VerifiedPlanParts {
  readonly plans: Pick<PlanStepsService, 'move' | 'end'>;
  readonly rows: Pick<StatedLaunchRepository, 'find'>;
  readonly statements: StatementVerifier;
  readonly clock: Clock;
}

/**
 * Verifies the polls and simulations of a plan's steps, and its record, before they change the client's view
 * (ADR 0128). The statuses and the end of the plan follow from them.
 */
export class VerifiedPlanSteps implements PlanGatewayActivities {
  constructor(private readonly parts: VerifiedPlanParts) {}

  recordPlanSteps = async ({ planId, sequence, steps }: RecordPlanStepsInput): Promise<void> => {
    const { plans, statements, clock } = this.parts;
    const row = await this.rowOf(planId);
    // A number of the future would hide every later write under the same poll.
    if (sequence > clock.now() + SKEW_MS) throw new ProjectionError('PROJECTION_MISMATCH', 'sequence');
    for (const { stepId, observed, simulation } of steps) {
      if (observed !== null) statements.stepPoll('recordPlanSteps', row, stepId, observed);
      if (simulation !== null) statements.stepSimulation('recordPlanSteps', row, stepId, simulation);
    }
    const refusal = await plans.move(
      planId,
      sequence,
      steps.map(({ stepId, status, simulation, observed }) => ({ stepId, status, simulation, poll: observed })),
    );
    if (refusal !== null) statements.refuse('recordPlanSteps', refusal);
  };

  recordPlanEnded = async ({ planId, outcome, record }: RecordPlanEndedInput): Promise<void> => {
    const { plans, statements } = this.parts;
    const row = await this.rowOf(planId);
    if (record !== null) statements.record('recordPlanEnded', row, record, record.signed);
    const refusal = await plans.end(planId, outcome, record);
    if (refusal !== null) statements.refuse('recordPlanEnded', refusal);
  };

  private async rowOf(planId: string): Promise<StatedRow> {
    const row = await this.parts.rows.find(planId);
    if (row === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'planId');
    return row;
  }
}

/** Adapts the verification to Temporal's activities. */
export const planWork = (verified: PlanGatewayActivities): PlanGatewayActivities => ({
  recordPlanSteps: (input) => verified.recordPlanSteps(input),
  recordPlanEnded: (input) => verified.recordPlanEnded(input),
});
