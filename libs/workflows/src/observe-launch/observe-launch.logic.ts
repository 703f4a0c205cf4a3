import {
  toObservedFinality,
  type FinalityActivities,
  type GatewayActivities,
  type ObservedFinality,
  type ObservedStage,
  type ObserveLaunchInput,
  type SignedPoll,
} from '@launch/contracts/orchestration';
import type { WalletReason } from '@launch/contracts/states';
import { isWorthRecording } from './finality-projection.js';
import type { HintQueue } from './hint-queue.js';

export interface ObserveSteps {
  readonly finality: Pick<FinalityActivities, 'observe' | 'buildFinalizedRecord'>;
  readonly gateway: Pick<
    GatewayActivities,
    | 'recordAwaitingSignature'
    | 'recordSubmitted'
    | 'recordWalletState'
    | 'recordFinality'
    | 'recordFinalized'
    | 'recordFailed'
    | 'recordExpired'
  >;
  readonly hints: HintQueue;
  /** Returns whether an operator asked for the observation that begins; its result is recorded in any case. */
  readonly takeRecheck: () => boolean;
  /** Waits for the given time, or until a hint arrives or an operator asks for an observation. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Returns whether the history is long enough to continue in a new run. */
  readonly isHistoryLong: (polls: number) => boolean;
}

export type ObserveOutcome =
  | { readonly kind: 'finalized' | 'failed' | 'expired' }
  /** Input of the new run that continues. */
  | { readonly kind: 'continue'; readonly input: ObserveLaunchInput };

/**
 * Observes one handed-off launch until it is finalized, its revert is final, or its permit expired. The activity makes
 * every decision. The workflow only repeats it, keeps state, and writes the client's view. Stages may move back until
 * one of the three ends.
 */
export async function observeLaunchLogic(
  steps: ObserveSteps,
  input: ObserveLaunchInput,
  onStage: (stage: ObservedStage) => void,
): Promise<ObserveOutcome> {
  const { launchId, requestSha256, handoffSha256, family } = input;
  const { finality, gateway } = steps;
  let before: SignedPoll | null = input.resume ?? null;
  let recorded: ObservedFinality | null = null;
  let wallet: WalletReason | null | undefined;
  if (before === null) await gateway.recordAwaitingSignature({ launchId });

  for (let polls = 1; ; polls++) {
    const isAsked = steps.takeRecheck();
    const { nextPollMs, ...observed } = await finality.observe({
      launchId,
      ...familyOf(input),
      requestSha256,
      handoffSha256,
      hints: steps.hints.take(),
      before,
    });
    const { stage, transactionHash } = observed.memory;
    const known: SignedPoll['memory'] | undefined = before?.memory;
    before = observed;
    if (stage !== known?.stage) onStage(stage);
    if (transactionHash !== null && transactionHash !== known?.transactionHash)
      await gateway.recordSubmitted({ launchId, observed });
    if (observed.wallet !== undefined && observed.wallet.reason !== wallet) {
      wallet = observed.wallet.reason;
      await gateway.recordWalletState({ launchId, observed });
    }

    const status = toObservedFinality(family, launchId, observed);
    const end = endOf(stage);
    if (end === 'finalized') return finish(steps, input, observed);
    if (end !== null || isAsked || isWorthRecording(recorded, status)) {
      await gateway.recordFinality({ launchId, observed });
      recorded = status;
    }
    if (end === 'failed') await gateway.recordFailed({ launchId, observed });
    if (end === 'expired') await gateway.recordExpired({ launchId, observed });
    if (end !== null) return { kind: end };

    await steps.pause(nextPollMs);
    if (steps.isHistoryLong(polls))
      return { kind: 'continue', input: { ...input, hints: steps.hints.take(), resume: before } };
  }
}

async function finish(steps: ObserveSteps, input: ObserveLaunchInput, observed: SignedPoll): Promise<ObserveOutcome> {
  const { launchId, requestSha256, handoffSha256 } = input;
  if (observed.evidenceSha256 === null) throw new TypeError('a finalized observation names its evidence');
  const built = await steps.finality.buildFinalizedRecord({
    launchId,
    ...familyOf(input),
    requestSha256,
    handoffSha256,
    observed,
  });
  await steps.gateway.recordFinalized({ launchId, observed, ...built });
  return { kind: 'finalized' };
}

/** Omits the family of multi-role launches, as their open workflows do. */
const familyOf = ({ family }: ObserveLaunchInput): Pick<ObserveLaunchInput, 'family'> =>
  family === undefined ? {} : { family };

function endOf(stage: ObservedStage): 'finalized' | 'failed' | 'expired' | null {
  switch (stage) {
    case 'finalized':
      return 'finalized';
    case 'reverted_finalized':
      return 'failed';
    case 'expired':
      return 'expired';
    default:
      return null;
  }
}
