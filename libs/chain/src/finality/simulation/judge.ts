import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import { isTerminal, type Observation } from '../observe-once.js';
import type { SimulatedRun } from './simulated-run.js';
import { l1Finalized, truthOf, type Snapshot } from './world.js';

const RANK: Readonly<Record<ObservedStage, number>> = {
  pending: 0,
  submitted: 1,
  expired: 1,
  reverted_finalized: 1,
  included: 2,
  posted: 3,
  finalized: 4,
};

/**
 * What the chains themselves say against an observation, or null.
 * @param during Every state of the chains while it was made, the last one at its end.
 */
export function objection(
  { target, world, hints }: SimulatedRun,
  { memory, status }: Observation,
  before: ObservationMemory | null,
  during: readonly Snapshot[],
): string | null {
  const truths = during.map((at) => truthOf(at, target));
  const ranks = truths.map((truth) => RANK[truth]);
  const truth = truths.at(-1) ?? 'pending';
  const { stage, inclusion, transactionHash } = memory;
  const was = before?.stage ?? 'pending';
  const told = `${was} became ${stage}, the truth was ${truths.join(', ')}`;
  if (before !== null && RANK[stage] < RANK[was] && during.every((at) => stands(at, before)))
    return `fell for nothing: ${told}`;
  if (stage === 'submitted' && transactionHash !== null)
    return world.now.sent.some((hash) => hash === transactionHash) ? null : 'submitted, but nobody sent it';
  if (
    stage === 'expired' &&
    truth === 'reverted_finalized' &&
    !isRevertHinted(world.now, target.window.deadline, hints)
  )
    return null;
  if (isTerminal(stage))
    return truth === stage
      ? evidenceFault(memory, during, target.derived?.length ?? null)
      : `${stage} is for ever: ${told}`;
  if ((RANK[stage] > RANK[was] || status === 'agreed') && RANK[stage] > Math.max(...ranks))
    return `never so high: ${told}`;
  const isFresh = inclusion !== null && inclusion.blockHash !== before?.inclusion?.blockHash;
  return isFresh && !during.some(({ l2 }) => l2.some(({ hash }) => hash === inclusion.blockHash))
    ? 'included in a block that was in no chain'
    : null;
}

/** Whether what a memory rests on is still there: its block and, where it names one, that of its batch. */
const stands = ({ l2, l1 }: Snapshot, { inclusion, posting }: ObservationMemory): boolean =>
  l2.some(({ hash }) => hash === inclusion?.blockHash) &&
  (posting === null ||
    l1.some(
      ({ hash, batches }) =>
        hash === posting.l1BlockHash && batches.some(({ afterAcc }) => afterAcc === posting.afterAcc),
    ));

/** A revert leaves no stamp to be found by: without a hint its permit merely runs out. */
export const isRevertHinted = ({ l2 }: Snapshot, deadline: bigint, hints: readonly string[]): boolean =>
  l2.some(({ timestamp, launches }) => timestamp <= deadline && launches.some(({ hash }) => hints.includes(hash)));

/** What a finalized launch rests on is of the chains as they are, for ever. */
function evidenceFault(
  { stage, inclusion, posting, checkpoint, derivedContracts }: ObservationMemory,
  during: readonly Snapshot[],
  children: number | null,
): string | null {
  if (stage !== 'finalized') return null;
  const at = during.at(-1) as Snapshot;
  if (
    !at.l2.some(
      ({ hash, launches }) => hash === inclusion?.blockHash && launches.some(({ status }) => status === 'success'),
    )
  )
    return 'finalized in a block that holds no launch';
  const batch = at.l1
    .find(({ hash }) => hash === posting?.l1BlockHash)
    ?.batches.find(({ afterAcc }) => afterAcc === posting?.afterAcc);
  const number = BigInt(inclusion?.blockNumber ?? -1);
  if (batch === undefined || number < batch.prevMessageCount || number >= batch.newMessageCount)
    return 'finalized by a batch that does not hold it';
  const block = at.l1.find(({ hash }) => hash === checkpoint?.blockHash);
  if (
    block === undefined ||
    block.number > l1Finalized(at).number ||
    block.number < BigInt(posting?.l1BlockNumber ?? 0)
  )
    return 'finalized under a checkpoint that is none';
  if (children === null) return derivedContracts === undefined ? null : 'V2 with proofs of V3';
  return derivedContracts?.length === children &&
    derivedContracts.every(({ proof }) => proof?.blockHash === inclusion?.blockHash)
    ? null
    : 'finalized without every derived contract';
}
