import type { FinalityDatabase } from '@launch/prisma-finality';
import { columnsOf, type LastSeen } from '../observation/observation.repository.js';

export interface StepObservationRow extends LastSeen {
  readonly planId: string;
  readonly stepId: string;
}

/** The last observations of steps, for operators. The workflow itself holds the process state. */
export interface StepObservationRepository {
  save(row: StepObservationRow): Promise<void>;
  /** Returns the number of polls of a step, over all runs of its plan. */
  polls(planId: string, stepId: string): Promise<number>;
}

export const createStepObservationRepository = (database: FinalityDatabase): StepObservationRepository => ({
  async save({ planId, stepId, ...seen }) {
    const fields = columnsOf(seen);
    const key = { planId, stepId };
    await database.stepObservation.upsert({
      where: { planId_stepId: key },
      create: { ...key, ...fields },
      update: fields,
    });
  },
  async polls(planId, stepId) {
    const row = await database.stepObservation.findUnique({
      where: { planId_stepId: { planId, stepId } },
      select: { polls: true },
    });
    return row?.polls ?? 0;
  },
});
