import type { Sha256Digest } from '@launch/contracts';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import type { FinalityDatabase } from '@launch/prisma-finality';

export interface StepObservationRow {
  readonly planId: string;
  readonly stepId: string;
  readonly memory: ObservationMemory;
  readonly status: 'agreed' | 'indeterminate';
  readonly reason: string | null;
  readonly evidenceSha256: Sha256Digest | null;
  readonly observedAt: Date;
}

/** Where steps were last seen: the workflow is the process, this is what an operator reads. */
export interface StepObservationRepository {
  save(row: StepObservationRow): Promise<void>;
}

export const createStepObservationRepository = (database: FinalityDatabase): StepObservationRepository => ({
  async save({ planId, stepId, memory, status, reason, evidenceSha256, observedAt }) {
    const fields = {
      stage: memory.stage,
      polls: memory.polls,
      memory: structuredClone(memory) as object,
      status,
      reason,
      observedAt,
      ...(evidenceSha256 === null ? {} : { evidenceSha256 }),
    };
    const key = { planId, stepId };
    await database.stepObservation.upsert({
      where: { planId_stepId: key },
      create: { ...key, ...fields },
      update: fields,
    });
  },
});
