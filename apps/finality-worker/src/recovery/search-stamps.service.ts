import { finalizedHead, scanStamps, type ObserverPair, type PinnedBlock, type StampSearchLimits } from '@launch/chain';
import type { FinalizedHead, RecoveryBlock, ScanStampsInput, StampScan } from '@launch/contracts/orchestration';
import type { CheckpointRepository } from './checkpoint.repository.js';

export interface RecoveryDependencies {
  readonly l2: ObserverPair;
  readonly checkpoints: CheckpointRepository;
  readonly stampSearch: StampSearchLimits;
  /** Milliseconds between two searches after one without new blocks or without a statement. */
  readonly recoveryPollMs: number;
}

export async function readFinalizedHead({ l2 }: RecoveryDependencies): Promise<FinalizedHead> {
  const head = await finalizedHead(l2);
  return head.kind === 'agreed' ? { head: wireBlock(head.value), reason: null } : { head: null, reason: head.reason };
}

/** Runs one step of the recovery for one router. It moves no checkpoint, because its results are resolved first. */
export async function searchStamps(deps: RecoveryDependencies, input: ScanStampsInput): Promise<StampScan> {
  const { router, fromBlock, head, reason } = input;
  const before = await deps.checkpoints.find(router);
  const said = { router, before, head };
  if (head === null)
    return {
      ...said,
      observation: 'indeterminate',
      reason,
      stamps: [],
      through: before,
      nextScanMs: deps.recoveryPollMs,
    };
  const search = {
    router: router,
    from: fromBlock === null ? null : BigInt(fromBlock),
    checkpoint: before === null ? null : pinned(before),
    head: pinned(head),
  };
  const found = await scanStamps(deps.l2, search, deps.stampSearch);
  const through = found.through === null ? null : wireBlock(found.through);
  const isBehind = found.reason === null && through?.blockHash !== head.blockHash;
  return {
    ...said,
    observation: found.reason === null ? 'agreed' : 'indeterminate',
    reason: found.reason,
    stamps: [...found.stamps],
    through,
    nextScanMs: isBehind ? 0 : deps.recoveryPollMs,
  };
}

const wireBlock = ({ number, hash }: PinnedBlock): RecoveryBlock => ({
  blockNumber: number.toString(),
  blockHash: hash,
});
const pinned = ({ blockNumber, blockHash }: RecoveryBlock): PinnedBlock => ({
  number: BigInt(blockNumber),
  hash: blockHash,
});
