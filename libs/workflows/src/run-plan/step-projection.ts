import type { PlanStepMemory, SignedStepSimulation, StepProjection } from '@launch/contracts/orchestration';

/** Returns a step for the gateway, which shows no more of it than its signed poll states. */
export const projectionOf = (
  { stepId, status, observed }: PlanStepMemory,
  simulation: SignedStepSimulation | null,
): StepProjection => ({ stepId, status, simulation, observed });

/** Returns whether the owner would read something new; a changed estimate alone is not worth a write. */
export function isNews(before: StepProjection | undefined, now: StepProjection): boolean {
  if (before === undefined || now.simulation !== null || before.status !== now.status) return true;
  const [then, marks] = [marksOf(before), marksOf(now)];
  return marks.some((mark, index) => mark !== then[index]);
}

const marksOf = ({ observed }: StepProjection): readonly (string | null | undefined)[] => [
  observed?.evidenceSha256,
  observed?.memory.stage,
  observed?.memory.inclusion?.blockHash,
  observed?.memory.posting?.l1BlockHash,
  observed?.memory.checkpoint?.blockHash,
  observed?.transactions.map(({ transactionHash, status }) => `${transactionHash} ${status}`).join(),
];
