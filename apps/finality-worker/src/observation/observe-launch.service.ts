import type { BlobStore } from '@launch/blob-store';
import {
  isTerminal,
  observeOnce,
  p90,
  planPoll,
  recordingObserver,
  rpcL1Observer,
  rpcL2Observer,
  type Look,
  type LogSearch,
  type ObserverPair,
  type PollPace,
  type RpcExchange,
} from '@launch/chain';
import { finding } from '@launch/contracts';
import type { ObservationMemory, ObservedStage, ObservePollInput, ObservePollResult } from '@launch/contracts/orchestration';
import { storeEvidence } from '../evidence/evidence.bundle.js';
import type { HandedOffLaunch, LaunchLoader } from '../launch/launch.loader.js';
import { confirmFinality, type ConfirmedEnd } from './confirm-finality.js';
import type { ObservationRepository } from './observation.repository.js';

export interface ObservationDependencies {
  readonly l2: ObserverPair;
  readonly l1: ObserverPair;
  readonly blobs: BlobStore;
  readonly launches: LaunchLoader;
  readonly observations: ObservationRepository;
  readonly pace: PollPace;
  /** How far, and in what steps, an observation itself searches the router's logs. */
  readonly logSearch: LogSearch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One poll: look by the rule, keep what was seen, and say when to look again. */
export async function observeLaunchOnce(deps: ObservationDependencies, input: ObservePollInput): Promise<ObservePollResult> {
  const launch = await deps.launches.load(input);
  const { observation, exchanges, proofs } = await lookAtLaunch(deps, launch, input);
  const { memory, status, reason } = observation;
  const now = deps.now();
  const observedAt = new Date(now);

  const { launchId, handoffSha256 } = input;
  const evidenceSha256 = isTerminal(memory.stage)
    ? await storeEvidence(deps.blobs, { launchId, handoffSha256, launch, memory, observedAt: observedAt.toISOString(), exchanges, proofs })
    : null;
  await keepDuration(deps, input, memory, now);
  await deps.observations.save({ launchId: input.launchId, memory, status, reason, evidenceSha256, observedAt });
  const estimate = p90(await deps.observations.recentDurations(memory.stage));
  return {
    memory,
    observation: { status, reason, at: observedAt.toISOString() },
    ...planPoll(memory.stage, Date.parse(memory.stageSince), now, estimate, status === 'indeterminate', deps.pace),
    evidenceSha256,
    ...(launch.generation === 'v3' ? { v3: { contextHash: launch.handoff.contextHash, onchainLaunchId: launch.target.stamp.launchId } } : {}),
    findings: memory.stage === 'reverted_finalized' ? [finding('LAUNCH_REVERTED', '', { actual: `transaction ${memory.transactionHash ?? ''}` })] : [],
  };
}

/** The look, with what it recorded; of a launch found finalized that is the confirming look alone. */
async function lookAtLaunch(deps: ObservationDependencies, launch: HandedOffLaunch, input: ObservePollInput): Promise<ConfirmedEnd & { readonly exchanges: readonly RpcExchange[] }> {
  const exchanges: RpcExchange[] = [];
  const observation = await observeOnce(recordedLook(deps, launch, exchanges), input.memory, input.hints);
  if (observation.memory.stage !== 'finalized') return { observation, exchanges, proofs: null };
  const confirming: RpcExchange[] = [];
  return { ...(await confirmFinality(recordedLook(deps, launch, confirming), deps, input.memory, observation)), exchanges: confirming };
}

function recordedLook(deps: ObservationDependencies, launch: HandedOffLaunch, exchanges: RpcExchange[]): Look {
  const record = (exchange: RpcExchange): void => void exchanges.push(exchange);
  const recorded = (pair: ObserverPair) => [recordingObserver(pair[0], record, deps.now), recordingObserver(pair[1], record, deps.now)] as const;
  const [l2a, l2b] = recorded(deps.l2);
  const [l1a, l1b] = recorded(deps.l1);
  return { l2: [rpcL2Observer(l2a, deps.logSearch), rpcL2Observer(l2b, deps.logSearch)], l1: [rpcL1Observer(l1a), rpcL1Observer(l1b)], target: launch.target, now: deps.now };
}

/** Each stage and the one that follows it: only a step of one has a known length. */
const NEXT: Partial<Record<ObservedStage, ObservedStage>> = { submitted: 'included', included: 'posted', posted: 'finalized' };

async function keepDuration(deps: ObservationDependencies, input: ObservePollInput, memory: ObservationMemory, now: number): Promise<void> {
  const before = input.memory;
  if (before === null || NEXT[before.stage] !== memory.stage) return;
  const durationMs = Math.min(Math.max(0, now - Date.parse(before.stageSince)), 2 ** 31 - 1);
  await deps.observations.addDuration(input.launchId, before.stage, durationMs, new Date(now));
}
