import type { CustomLaunchFinality } from '../custom-launch/finality.schema.js';
import type { AnyFinalityStatus, FinalityStatusV3 } from '../multi-role/finality-v3.schema.js';
import type { FinalityStatus } from '../multi-role/finality.schema.js';
import type { LaunchFamily } from '../states/launch-families.js';
import type { ObservedPoll, ObservedStage } from './finality.types.js';

/** The finality projection of either kind of launch. */
export type ObservedFinality = AnyFinalityStatus | CustomLaunchFinality;

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
  result: ObservedPoll,
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
function toCustomLaunchFinality(launchId: string, result: ObservedPoll): CustomLaunchFinality {
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
function toFinalityStatus(launchId: string, result: ObservedPoll): AnyFinalityStatus {
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
function toFinalityStatusV2(launchId: string, result: ObservedPoll): FinalityStatus {
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
