import type { BlobReader } from '@launch/blob-store';
import {
  readPinnedContracts,
  simulateAllAt,
  simulationPlace,
  type ObserverPair,
  type SimulatedTransaction,
} from '@launch/chain';
import { compareExecutions, type SecondExecutor } from '@launch/chain/second-opinion';
import { stepSimulationStatement } from '@launch/contracts/activities';
import { customLaunchSubjectOf } from '@launch/contracts/custom-launch';
import { assertCanonicalJson } from '@launch/contracts/json';
import { LEAST_OFFER_SECONDS, type StepInput, type StepSimulationVerdict } from '@launch/contracts/orchestration';
import { planHandoffSchema, type PlanHandoffStep } from '@launch/contracts/plans';
import type { Hex } from '@launch/contracts/primitives';
import { explainRevert } from '@launch/evm';
import type { Ed25519Signer } from '@launch/platform';
import { AdmissionError } from '../admission.error.js';
import type { CustomLaunchContexts } from '../families/custom-launch-contexts.js';

/** Reported while a controller cannot pay a step, which reverts until it can. */
const FUNDS_MISSING = 'CONTROLLER_FUNDS_MISSING';

/** Returns the transactions that a controller sends for a step: one, or the calls of its batch in order. */
const sentBy = (controller: Hex, step: PlanHandoffStep): readonly SimulatedTransaction[] =>
  (step.kind === 'atomic_launch' ? step.calls : [step.walletTransaction]).map(({ to, value, data }) => ({
    from: controller,
    to,
    value: BigInt(value),
    data,
  }));

/**
 * Simulates a step of a signed plan at the head with its exact bytes, all calls of a batch in one block. The providers
 * and the second executor run in parallel, on the program that the plan's own context pins. Signs the agreed
 * result for the gateway.
 */
export function createStepSimulation(deps: {
  readonly l2: ObserverPair;
  readonly secondExecutor: SecondExecutor;
  readonly blobs: BlobReader;
  readonly contexts: CustomLaunchContexts;
  readonly signer: Ed25519Signer;
  readonly now: () => Date;
}): (input: StepInput) => Promise<StepSimulationVerdict> {
  const { l2, secondExecutor, blobs, contexts, signer, now } = deps;

  return async ({ planId, requestSha256, handoffSha256, stepId }) => {
    const handoff = planHandoffSchema.parse(assertCanonicalJson(await blobs.get(handoffSha256)));
    const step = handoff.steps.find((one) => one.stepId === stepId);
    if (handoff.planId !== planId || handoff.requestSha256 !== requestSha256 || step === undefined)
      throw new AdmissionError('HANDOFF_CONFLICT', 'the hand-off is not of this step');
    const controller = customLaunchSubjectOf(await blobs.get(requestSha256))?.controller;
    if (controller === undefined) throw new AdmissionError('REQUEST_HASH_MISMATCH', 'the stored bytes are no plan');
    const context = contexts.get(handoff.contextHash);
    if (context === undefined)
      throw new AdmissionError('CONTEXT_UNKNOWN', 'this service was not given the context of the plan');

    const deadline = BigInt(handoff.deadline);
    const left = deadline - BigInt(Math.floor(now().getTime() / 1_000));
    if (left < BigInt(LEAST_OFFER_SECONDS)) return { kind: 'window-passed' };
    const transactions = sentBy(controller, step);
    const value = transactions.reduce((sum, transaction) => sum + transaction.value, 0n);
    const place = await simulationPlace(
      l2,
      { ...transactions[0]!, value },
      { validAfter: BigInt(handoff.validAfter), deadline },
    );
    if (place.kind === 'insufficient-funds') return { kind: 'reverted', reason: FUNDS_MISSING };
    if (place.kind !== 'block') return place;

    const [outcome, executed, against] = await Promise.all([
      simulateAllAt(l2, transactions, place),
      secondExecutor(transactions, place),
      readPinnedContracts(l2, context),
    ]);
    if (outcome.kind === 'indeterminate') return outcome;
    if (against.length > 0)
      return { kind: 'indeterminate', reason: `the chain is not the context's: ${against.join(', ')}` };
    const second = compareExecutions(outcome.executions, executed);
    if (second.kind === 'indeterminate') return second;
    let gasUsed = 0n;
    for (const execution of outcome.executions) {
      if (execution.kind === 'reverted')
        return { kind: 'reverted', reason: explainRevert(execution.data, 'funding').actual };
      gasUsed += execution.gasUsed;
    }
    const { number, hash } = place.block;
    const simulation = { blockNumber: number.toString(), blockHash: hash, gasUsed: gasUsed.toString() };
    const { requestHash, contextHash } = handoff;
    const plan = { launchId: planId, requestSha256, requestHash, contextHash, handoffSha256 };
    const signed = signer.sign(stepSimulationStatement(plan, stepId, simulation));
    return { kind: 'agreed', simulation: { ...simulation, signed } };
  };
}
