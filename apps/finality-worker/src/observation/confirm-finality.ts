import {
  observeOnce,
  type LaunchTarget,
  type Poll,
  type ObserverPair,
  type Observation,
  type ProvenLaunch,
} from '@launch/chain';
import type { ObservationMemory } from '@launch/contracts/orchestration';

export interface ConfirmedEnd<Proofs> {
  readonly observation: Observation;
  /** Null unless the launch is finalized. */
  readonly proofs: Proofs | null;
}

/** Collects the proofs of a finalized launch, like `collectProofs`. */
export type CollectProofs<Target extends LaunchTarget, Proofs> = (
  l2: ObserverPair,
  l1: ObserverPair,
  launch: ProvenLaunch<Target>,
) => Promise<Proofs>;

/**
 * Polls a launch once more, without memory and by its transaction alone, before it is reported as finalized. The
 * recording of that poll is the evidence, complete and free of foreign hints. If the poll does not reach the same
 * result, there is no statement and the stage does not change.
 */
export async function confirmFinality<Target extends LaunchTarget, Proofs>(
  poll: Poll<Target>,
  pairs: { readonly l2: ObserverPair; readonly l1: ObserverPair },
  before: ObservationMemory | null,
  first: Observation,
  prove: CollectProofs<Target, Proofs>,
): Promise<ConfirmedEnd<Proofs>> {
  const { transactionHash } = first.memory;
  if (transactionHash === null) throw new TypeError('a finalized launch has its transaction');
  const again = await observeOnce(poll, null, [transactionHash]);
  const { inclusion, posting, checkpoint } = again.memory;
  if (
    again.memory.stage !== 'finalized' ||
    inclusion === null ||
    posting === null ||
    checkpoint === null ||
    !sameEnd(first.memory, again.memory)
  ) {
    const reason = `confirmation: ${again.reason ?? `only ${again.memory.stage}`}`.slice(0, 256);
    const memory = before === null ? again.memory : { ...before, polls: first.memory.polls };
    return { observation: { memory, status: 'indeterminate', reason }, proofs: null };
  }
  const proofs = await prove(pairs.l2, pairs.l1, { target: poll.target, inclusion, posting, checkpoint });
  // The same inclusion and posting keep their first notes; the checkpoint is the evidence's.
  return { observation: { ...first, memory: { ...first.memory, checkpoint } }, proofs };
}

const sameEnd = (a: ObservationMemory, b: ObservationMemory): boolean =>
  a.inclusion?.blockHash === b.inclusion?.blockHash &&
  a.inclusion?.logsSha256 === b.inclusion?.logsSha256 &&
  a.posting?.l1BlockHash === b.posting?.l1BlockHash &&
  a.posting?.afterAcc === b.posting?.afterAcc;
