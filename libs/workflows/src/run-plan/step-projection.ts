import type {
  ObservedStage,
  ObserveStepResult,
  PlanStepMemory,
  StepFinality,
  StepProjection,
  StepSimulation,
} from '@launch/contracts/orchestration';

const STAGES: Readonly<Record<ObservedStage, StepFinality['stage']>> = {
  pending: 'pending',
  submitted: 'pending',
  included: 'included',
  posted: 'posted',
  finalized: 'ethereum_finalized',
  reverted_finalized: 'pending',
  expired: 'pending',
};

/** Returns a step as its owner reads it. A stage claims no more than its evidence shows. */
export function projectionOf(
  { stepId, status, observed, transactions, evidenceSha256 }: PlanStepMemory,
  estimate: Pick<ObserveStepResult, 'estimatedNextStageAt'> | null,
  simulation: StepSimulation | null,
): StepProjection {
  const stage = STAGES[observed?.stage ?? 'pending'];
  return {
    stepId,
    status,
    simulation,
    finality: {
      stage,
      inclusion: stage === 'pending' ? null : (observed?.inclusion ?? null),
      posting: stage === 'pending' ? null : (observed?.posting ?? null),
      checkpoint: stage === 'ethereum_finalized' ? (observed?.checkpoint ?? null) : null,
      estimatedNextStageAt: estimate?.estimatedNextStageAt ?? null,
    },
    transactions,
    evidenceSha256,
  };
}

/** Returns whether the owner would read something new; a changed estimate alone is not worth a write. */
export function isNews(before: StepProjection | undefined, now: StepProjection): boolean {
  return (
    before === undefined ||
    now.simulation !== null ||
    before.status !== now.status ||
    before.evidenceSha256 !== now.evidenceSha256 ||
    before.finality.stage !== now.finality.stage ||
    before.finality.inclusion?.blockHash !== now.finality.inclusion?.blockHash ||
    before.finality.posting?.l1BlockHash !== now.finality.posting?.l1BlockHash ||
    before.finality.checkpoint?.blockHash !== now.finality.checkpoint?.blockHash ||
    namesOf(before) !== namesOf(now)
  );
}

const namesOf = ({ transactions }: StepProjection): string =>
  transactions.map(({ transactionHash, status }) => `${transactionHash} ${status}`).join();
