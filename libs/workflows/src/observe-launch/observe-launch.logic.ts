import type {
  FinalityActivities,
  GatewayActivities,
  ObservationMemory,
  ObservedFinality,
  ObservedInOrder,
  ObservedStage,
  ObserveLaunchInput,
  ObservePollResult,
} from '@launch/contracts/orchestration';
import type { WalletReason } from '@launch/contracts/states';
import { isWorthRecording, toObservedFinality } from './finality-projection.js';
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
  let memory: ObservationMemory | null = input.resume ?? null;
  let recorded: ObservedFinality | null = null;
  let wallet: WalletReason | null | undefined;
  if (memory === null) await gateway.recordAwaitingSignature({ launchId });

  for (let polls = 1; ; polls++) {
    const isAsked = steps.takeRecheck();
    const result: ObservePollResult = await finality.observe({
      launchId,
      ...familyOf(input),
      requestSha256,
      handoffSha256,
      hints: steps.hints.take(),
      memory,
    });
    const place = placeOf(input, result.memory);
    if (result.memory.stage !== memory?.stage) onStage(result.memory.stage);
    const { transactionHash } = result.memory;
    if (transactionHash !== null && transactionHash !== memory?.transactionHash)
      await gateway.recordSubmitted({ launchId, transactionHash, ...place });
    memory = result.memory;
    if (result.wallet !== undefined && result.wallet.reason !== wallet) {
      wallet = result.wallet.reason;
      await gateway.recordWalletState({ launchId, reason: wallet, sequence: memory.polls });
    }

    const status = toObservedFinality(family, launchId, result);
    const end = endOf(memory.stage);
    if (end === 'finalized') return finish(steps, input, result, status);
    if (end !== null || isAsked || isWorthRecording(recorded, status)) {
      await gateway.recordFinality({ launchId, finality: status, ...place });
      recorded = status;
    }
    if (end === 'failed')
      await gateway.recordFailed({ launchId, findings: result.findings, ...place, ...evidenceOf(input, result) });
    if (end === 'expired') await gateway.recordExpired({ launchId, ...place, ...evidenceOf(input, result) });
    if (end !== null) return { kind: end };

    await steps.pause(result.nextPollMs);
    if (steps.isHistoryLong(polls))
      return { kind: 'continue', input: { ...input, hints: steps.hints.take(), resume: memory } };
  }
}

async function finish(
  steps: ObserveSteps,
  input: ObserveLaunchInput,
  result: ObservePollResult,
  status: ObservedFinality,
): Promise<ObserveOutcome> {
  const { launchId, requestSha256, handoffSha256 } = input;
  const { evidenceSha256 } = result;
  if (evidenceSha256 === null) throw new TypeError('a finalized observation names its evidence');
  const { recordSha256 } = await steps.finality.buildFinalizedRecord({
    launchId,
    ...familyOf(input),
    requestSha256,
    handoffSha256,
    memory: result.memory,
    evidenceSha256,
    finalizedAt: result.observation.at,
  });
  await steps.gateway.recordFinalized({
    launchId,
    recordSha256,
    evidenceSha256,
    finality: status,
    ...placeOf(input, result.memory),
  });
  return { kind: 'finalized' };
}

/** Omits the family of multi-role launches, as their open workflows do. */
const familyOf = ({ family }: ObserveLaunchInput): Pick<ObserveLaunchInput, 'family'> =>
  family === undefined ? {} : { family };

/** Returns the number of the observation: custom launches move back too, so the gateway orders their records by it. */
const placeOf = ({ family }: ObserveLaunchInput, { polls }: ObservationMemory): ObservedInOrder =>
  family === undefined ? {} : { sequence: polls };

/** The failure of a custom launch includes its evidence. */
const evidenceOf = ({ family }: ObserveLaunchInput, { evidenceSha256 }: ObservePollResult) =>
  family === undefined || evidenceSha256 === null ? {} : { evidenceSha256 };

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
