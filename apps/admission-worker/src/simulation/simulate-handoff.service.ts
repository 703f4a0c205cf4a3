import type { BlobStore } from '@launch/blob-store';
import { readPinnedContracts, simulateAt, simulationPlace, type ObserverPair } from '@launch/chain';
import { compareExecutions, type SecondExecutor } from '@launch/chain/second-opinion';
import { walletHandoffSchema, type CreateRequest, type WalletHandoff, type WalletTransaction } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import type { LaunchRef, SignedPermit, SimulationVerdict } from '@launch/contracts/orchestration';
import {
  encodeLaunchCalldata,
  launchCallOf,
  launchCommitments,
  permitFromWire,
  revertFinding,
  routerOf,
} from '@launch/evm';
import { AdmissionError } from '../admission.error.js';
import type { HandoffRepository } from './handoff.repository.js';

/** The one transaction the controller is asked to send, with the permit's signature in its calldata. */
export function walletTransactionOf(request: CreateRequest, signed: SignedPermit): WalletTransaction {
  const permit = permitFromWire(signed.permit);
  return {
    from: request.launchWallet,
    to: routerOf(request.context).router,
    chainId: '4663',
    value: permit.value.toString(),
    data: encodeLaunchCalldata({ call: launchCallOf(request), permit, signature: signed.signature }),
  };
}

export interface SimulationService {
  simulate(
    request: CreateRequest,
    ref: LaunchRef & { readonly launchId: string },
    signed: SignedPermit,
  ): Promise<SimulationVerdict>;
}

/**
 * Simulates the exact signed transaction at a time inside its window and keeps the hand-off. The providers and a second
 * executor of our own do it side by side. A permit whose transaction reverts is never shown. If the executors disagree,
 * or a provider is away, the step is tried again. A controller without funds is waited for. Both end with the window.
 */
export function createSimulationService(deps: {
  readonly l2: ObserverPair;
  readonly secondExecutor: SecondExecutor;
  readonly blobs: BlobStore;
  readonly handoffs: HandoffRepository;
  readonly now: () => Date;
}): SimulationService {
  const { l2, secondExecutor, blobs, handoffs, now } = deps;
  const isPast = (deadline: string): boolean => BigInt(Math.floor(now().getTime() / 1000)) >= BigInt(deadline);
  return {
    async simulate(request, ref, signed) {
      const earlier = await handoffs.find(ref.launchId);
      if (earlier !== null) {
        if (earlier.permitDigest !== signed.permitDigest)
          throw new AdmissionError('HANDOFF_CONFLICT', 'another permit was handed off for this launch');
        return { kind: 'simulated', handoffSha256: earlier.handoffSha256 };
      }
      const walletTransaction = walletTransactionOf(request, signed);
      const { validAfter, deadline } = request.permitWindow;
      const transaction = {
        from: walletTransaction.from,
        to: walletTransaction.to,
        value: BigInt(walletTransaction.value),
        data: walletTransaction.data,
      };
      const place = await simulationPlace(l2, transaction, {
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
        simulateAt(l2, transaction, place),
        secondExecutor([transaction], place),
        readPinnedContracts(l2, request.context),
      ]);
      if (outcome.kind === 'indeterminate') return undecided(outcome.reason);
      // Both executors must have run the program that the request is bound to: an address alone says nothing of its
      // code.
      if (against.length > 0) return undecided(`the chain is not the context's: ${against.join(', ')}`);
      const second = compareExecutions([outcome], executed);
      if (second.kind === 'indeterminate') return undecided(second.reason);
      if (outcome.kind === 'reverted') return { kind: 'reverted', findings: [revertFinding(outcome.data)] };
      const createdAt = now().toISOString();
      const handoff: WalletHandoff = walletHandoffSchema.parse({
        schemaVersion: 'service.multi-role-wallet-handoff.v2',
        requestSha256: ref.requestSha256,
        requestHash: ref.requestHash,
        contextHash: ref.contextHash,
        artifactHash: launchCommitments(request).artifactHash,
        permitDigest: signed.permitDigest,
        validAfter,
        deadline,
        createdAt,
        simulation: {
          blockNumber: outcome.block.number.toString(),
          blockHash: outcome.block.hash,
          gasUsed: outcome.gasUsed.toString(),
          simulatedAt: createdAt,
        },
        walletTransaction,
      } satisfies WalletHandoff);
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
