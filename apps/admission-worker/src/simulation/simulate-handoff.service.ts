import type { BlobStore } from '@launch/blob-store';
import {
  readGasCost,
  readPinnedContracts,
  simulateAllAt,
  simulationPlace,
  type ObserverPair,
  type SimulatedExecution,
  type SimulatedTransaction,
} from '@launch/chain';
import { compareExecutions, type SecondExecutor } from '@launch/chain/second-opinion';
import { customLaunchFinding } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import type { LaunchRef, SignedPermit, SimulationVerdict } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { AdmissionError } from '../admission.error.js';
import type { JudgedLaunch } from '../families/judged-launch.js';
import type { UsdReferenceService } from '../usd-reference/usd-reference.service.js';
import type { HandoffRepository } from './handoff.repository.js';

export interface SimulationService {
  /** @param usdReferenceSha256 the price reading under which custody signed, if any. */
  simulate(
    launch: JudgedLaunch,
    ref: LaunchRef & { readonly launchId: string },
    signed: SignedPermit,
    usdReferenceSha256?: Sha256Digest,
  ): Promise<SimulationVerdict>;
}

/**
 * Simulates the exact signed transaction at a time inside its window and stores the hand-off; all transactions of a
 * plan in order, in one block. The providers and an independent second executor run in parallel. A permit whose
 * transaction reverts, or costs more gas than the request allows, is never published. If the executors disagree, or a
 * provider is unreachable, the step is retried. It also waits for a controller without funds. Both end with the window.
 */
export function createSimulationService(deps: {
  readonly l2: ObserverPair;
  readonly secondExecutor: SecondExecutor;
  readonly blobs: BlobStore;
  readonly handoffs: HandoffRepository;
  readonly usdReferences: Pick<UsdReferenceService, 'stored'>;
  readonly now: () => Date;
}): SimulationService {
  const { l2, secondExecutor, blobs, handoffs, usdReferences, now } = deps;
  const isPast = (deadline: string): boolean => BigInt(Math.floor(now().getTime() / 1000)) >= BigInt(deadline);

  /** Returns the reason why the launch's gas exceeds its budget; null if it does not, or without a budget. */
  const overBudget = async (
    launch: JudgedLaunch,
    transactions: readonly SimulatedTransaction[],
    executions: readonly Extract<SimulatedExecution, { readonly kind: 'ok' }>[],
  ): Promise<SimulationVerdict | { readonly kind: 'within' } | { readonly kind: 'indeterminate'; reason: string }> => {
    const { maxGasCostWei, request } = launch;
    if (maxGasCostWei === null) return { kind: 'within' };
    const users = executions.map(({ gasUsed }, index) => ({ ...transactions[index]!, gasUsed }));
    const cost = await readGasCost(l2, request.context.chainDeployment.nodeInterface, users, executions[0]!.block);
    if (cost.kind === 'indeterminate') return cost;
    if (cost.upperBoundWei <= maxGasCostWei) return { kind: 'within' };
    const finding = customLaunchFinding('BUDGET_EXCEEDED', '/budgets/maxGasCostWei', {
      expected: `at least ${cost.upperBoundWei}`,
      actual: String(maxGasCostWei),
      message: 'The gas of the launch may cost more than its own budget allows.',
    });
    return { kind: 'over-budget', findings: [finding] };
  };

  return {
    async simulate(launch, ref, signed, usdReferenceSha256) {
      const earlier = await handoffs.find(ref.launchId);
      if (earlier !== null) {
        if (earlier.permitDigest !== signed.permitDigest)
          throw new AdmissionError('HANDOFF_CONFLICT', 'another permit was handed off for this launch');
        return { kind: 'simulated', handoffSha256: earlier.handoffSha256 };
      }
      const { request } = launch;
      const { validAfter, deadline } = request.permitWindow;
      const transactions = launch.transactions(signed);
      const place = await simulationPlace(l2, spending(transactions), {
        validAfter: BigInt(validAfter),
        deadline: BigInt(deadline),
      });
      const undecided = (reason: string): SimulationVerdict => {
        if (isPast(deadline)) return { kind: 'window-passed' };
        throw new AdmissionError('PROVIDERS_UNDECIDED', reason);
      };
      switch (place.kind) {
        case 'window-passed':
          return { kind: 'window-passed' };
        case 'insufficient-funds':
          return isPast(deadline) ? { kind: 'window-passed' } : { kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' };
        case 'indeterminate':
          return undecided(place.reason);
        case 'block':
          break;
      }
      const [outcome, executed, against] = await Promise.all([
        simulateAllAt(l2, transactions, place),
        secondExecutor(transactions, place),
        readPinnedContracts(l2, request.context),
      ]);
      if (outcome.kind === 'indeterminate') return undecided(outcome.reason);
      // Both executors must have run the program to which the request is bound; an address alone does not identify its
      // code.
      if (against.length > 0) return undecided(`the chain is not the context's: ${against.join(', ')}`);
      const second = compareExecutions(outcome.executions, executed);
      if (second.kind === 'indeterminate') return undecided(second.reason);
      const executions: Extract<SimulatedExecution, { readonly kind: 'ok' }>[] = [];
      for (const execution of outcome.executions) {
        if (execution.kind === 'reverted') return { kind: 'reverted', findings: [launch.reverted(execution.data)] };
        executions.push(execution);
      }
      const budget = await overBudget(launch, transactions, executions);
      if (budget.kind === 'indeterminate') return undecided(budget.reason);
      if (budget.kind !== 'within') return budget;
      const createdAt = now().toISOString();
      const handoff = launch.handoff({
        ref,
        signed,
        createdAt,
        simulation: {
          blockNumber: place.block.number.toString(),
          blockHash: place.block.hash,
          gasUsed: executions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n).toString(),
          simulatedAt: createdAt,
        },
        usdReference: usdReferenceSha256 === undefined ? null : await usdReferences.stored(usdReferenceSha256, ref),
      });
      const handoffSha256 = await blobs.put(canonicalizeJson(handoff));
      const kept = await handoffs.insertOnce({
        launchId: ref.launchId,
        handoffSha256,
        permitDigest: signed.permitDigest,
      });
      if (kept.permitDigest !== signed.permitDigest)
        throw new AdmissionError('HANDOFF_CONFLICT', 'another permit was handed off for this launch');
      return { kind: 'simulated', handoffSha256: kept.handoffSha256 };
    },
  };
}

/** Returns the first transaction with the value of all, which the sender must have. */
const spending = (transactions: readonly SimulatedTransaction[]): SimulatedTransaction => ({
  ...transactions[0]!,
  value: transactions.reduce((sum, { value }) => sum + value, 0n),
});
