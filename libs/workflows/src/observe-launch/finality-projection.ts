import type {
  AnyFinalityStatus,
  FinalityStatus,
  FinalityStatusV3,
  ObservedStage,
  ObservePollResult,
} from '@launch/contracts/orchestration';

/** Public states (spec 2, States): posting is evidence inside `included`; what was only sent, reverted or ran out is `pending`. */
const STATES: Readonly<Record<ObservedStage, FinalityStatus['state']>> = {
  pending: 'pending',
  submitted: 'pending',
  included: 'included',
  posted: 'included',
  finalized: 'ethereum_finalized',
  reverted_finalized: 'pending',
  expired: 'pending',
};

/** The public event that ends a stage; none follows an end, and nothing is expected of what was not sent. */
const NEXT_STAGES: Readonly<Record<ObservedStage, FinalityStatusV3['nextStage']>> = {
  pending: 'included',
  submitted: 'included',
  included: 'posted',
  posted: 'ethereum_finalized',
  finalized: null,
  reverted_finalized: null,
  expired: null,
};

/** One observation as the owner reads it, in the generation of the launch's own context. */
export function toFinalityStatus(launchId: string, result: ObservePollResult): AnyFinalityStatus {
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

/** A state asserts no more than the evidence it carries. */
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

/** How often, at most, a projection is written again when only the observation or the estimate moved. */
export const OBSERVATION_RATE_MS = 15_000;

/** A new stage or new evidence is written at once; anything less at a bounded rate. */
export function isWorthRecording(before: AnyFinalityStatus | null, now: AnyFinalityStatus): boolean {
  if (before === null) return true;
  const moved =
    before.state !== now.state ||
    before.transactionHash !== now.transactionHash ||
    before.inclusion?.blockHash !== now.inclusion?.blockHash ||
    before.posting?.l1BlockHash !== now.posting?.l1BlockHash ||
    before.checkpoint?.blockHash !== now.checkpoint?.blockHash;
  return moved || timeOf(now) - timeOf(before) >= OBSERVATION_RATE_MS;
}

const timeOf = (status: AnyFinalityStatus): number =>
  status.observation === null ? 0 : Date.parse(status.observation.at);
