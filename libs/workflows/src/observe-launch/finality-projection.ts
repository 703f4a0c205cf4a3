import type { CustomLaunchFinality } from '@launch/contracts/custom-launch';
import type { AnyFinalityStatus, FinalityStatus, FinalityStatusV3 } from '@launch/contracts/multi-role';
import type { ObservedFinality, ObservedStage, ObservePollResult } from '@launch/contracts/orchestration';
import type { LaunchFamily } from '@launch/contracts/states';

/** Public states (docs/reference/finality.md#public-states): posting is evidence inside `included`. */
const STATES: Readonly<Record<ObservedStage, FinalityStatus['state']>> = {
  pending: 'pending',
  submitted: 'pending',
  included: 'included',
  posted: 'included',
  finalized: 'ethereum_finalized',
  reverted_finalized: 'pending',
  expired: 'pending',
};

/** The public event that ends a stage. No event follows an end, and none is expected before a transaction was sent. */
const NEXT_STAGES: Readonly<Record<ObservedStage, FinalityStatusV3['nextStage']>> = {
  pending: 'included',
  submitted: 'included',
  included: 'posted',
  posted: 'ethereum_finalized',
  finalized: null,
  reverted_finalized: null,
  expired: null,
};

/** Converts one observation to the form of the launch's family for the gateway. */
export const toObservedFinality = (
  family: LaunchFamily | undefined,
  launchId: string,
  result: ObservePollResult,
): ObservedFinality =>
  family === 'custom-launch.v4' ? toCustomLaunchFinality(launchId, result) : toFinalityStatus(launchId, result);

/** Stages of custom launches. A launch that was only sent, reverted or expired is `pending`. */
const CUSTOM_LAUNCH_STAGES: Readonly<Record<ObservedStage, CustomLaunchFinality['stage']>> = {
  pending: 'pending',
  submitted: 'pending',
  included: 'included',
  posted: 'posted',
  finalized: 'ethereum_finalized',
  reverted_finalized: 'pending',
  expired: 'pending',
};

/** A stage claims no more than its evidence shows. */
function toCustomLaunchFinality(launchId: string, result: ObservePollResult): CustomLaunchFinality {
  const { memory, observation } = result;
  const { inclusion, posting, checkpoint, transactionHash } = memory;
  const stage = CUSTOM_LAUNCH_STAGES[memory.stage];
  const receipt = inclusion?.receiptStatus === 'reverted' ? 'reverted' : 'included';
  return {
    schemaVersion: 'service.custom-launch-finality.v4',
    launchId,
    transactions:
      transactionHash === null
        ? []
        : [{ transactionHash, source: 'observed', status: inclusion === null ? 'seen' : receipt }],
    stage,
    l2Inclusion: stage === 'pending' ? null : inclusion,
    l1Posting: stage === 'pending' ? null : posting,
    l1FinalizedCheckpoint:
      stage === 'ethereum_finalized' && checkpoint !== null ? { ...checkpoint, common: checkpoint.blockNumber } : null,
    estimatedNextStageAt: result.estimatedNextStageAt,
    observation,
  };
}

/** Converts one observation to the owner's view, in the generation of the launch's own context. */
function toFinalityStatus(launchId: string, result: ObservePollResult): AnyFinalityStatus {
  const v2 = toFinalityStatusV2(launchId, result);
  if (result.v3 === undefined) return v2;
  const { contextHash, onchainLaunchId } = result.v3;
  const contracts = result.memory.derivedContracts ?? [];
  return {
    ...v2,
    schemaVersion: 'service.multi-role-finality-status.v3',
    policy: 'service.derived-contract-finality.v3',
    contextHash,
    onchainLaunchId,
    nextStage: NEXT_STAGES[result.memory.stage],
    derivedContracts: contracts.map((contract) => (v2.state === 'pending' ? { ...contract, proof: null } : contract)),
  };
}

/** A state claims no more than its evidence shows. */
function toFinalityStatusV2(launchId: string, result: ObservePollResult): FinalityStatus {
  const { memory, observation } = result;
  const state = STATES[memory.stage];
  const asserted = state !== 'pending';
  return {
    schemaVersion: 'service.multi-role-finality-status.v2',
    launchId,
    state,
    transactionHash: memory.transactionHash,
    inclusion: asserted ? memory.inclusion : null,
    posting: asserted ? memory.posting : null,
    checkpoint: state === 'ethereum_finalized' ? memory.checkpoint : null,
    observation,
    estimatedNextStageAt: result.estimatedNextStageAt,
    basis: result.basis,
    finalizedAt: state === 'ethereum_finalized' ? observation.at : null,
  };
}

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
