import type { ObservedFinality } from '@launch/contracts/orchestration';

/** The shortest interval between two writes when only the observation or the estimate changed. */
export const OBSERVATION_RATE_MS = 15_000;

/** Decides whether to write: new stages and evidence immediately, smaller changes at a bounded rate. */
export function isWorthRecording(before: ObservedFinality | null, now: ObservedFinality): boolean {
  if (before === null) return true;
  const [then, marks] = [marksOf(before), marksOf(now)];
  return marks.some((mark, index) => mark !== then[index]) || timeOf(now) - timeOf(before) >= OBSERVATION_RATE_MS;
}

/** The identity of a projection: the stage and the blocks that prove it. */
const marksOf = (status: ObservedFinality): readonly (string | undefined)[] =>
  status.schemaVersion === 'service.custom-launch-finality.v4'
    ? [
        status.stage,
        status.transactions[0]?.transactionHash,
        status.transactions[0]?.status,
        status.l2Inclusion?.blockHash,
        status.l1Posting?.l1BlockHash,
        status.l1FinalizedCheckpoint?.blockHash,
        // Only a statement can move a launch back, so the first one after a silence is written.
        status.observation?.status,
      ]
    : [
        status.state,
        status.transactionHash ?? undefined,
        status.inclusion?.blockHash,
        status.posting?.l1BlockHash,
        status.checkpoint?.blockHash,
      ];

const timeOf = (status: ObservedFinality): number =>
  status.observation === null ? 0 : Date.parse(status.observation.at);
