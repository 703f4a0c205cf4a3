import type { BlobStore } from '@launch/blob-store';
import {
  bothHeaders,
  collectProofs,
  isTerminal,
  type MultiRoleTarget,
  type Observation,
  type StampedTarget,
} from '@launch/chain';
import { finding } from '@launch/contracts/errors';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { failpoint } from '@launch/platform';
import { storeEvidence } from '../evidence/evidence.bundle.js';
import type { HandedOffLaunch } from '../launch/handed-off.types.js';
import type { LaunchLoader } from '../launch/launch.loader.js';
import { pollTarget, type PollDependencies, type JudgedTarget } from './poll-target.js';
import { nextPoll, type PaceDependencies } from './next-poll.js';
import type { ObservationRepository } from './observation.repository.js';
import type { Poll, PollInput } from './poll.types.js';
import type { StampWatch } from './stamp-watch.js';
import { timeStage, type TimedObservation } from './time-stage.js';
import { unsentWait } from './unsent-wait.js';
import type { UnsentLaunch, UnsentRepository } from './unsent.repository.js';
import { isNonceSpent, walletObstacle, walletPace } from './wallet-obstacle.js';

export interface ObservationDependencies extends PollDependencies, PaceDependencies {
  readonly blobs: BlobStore;
  readonly launches: LaunchLoader;
  readonly observations: ObservationRepository;
  readonly unsent: Pick<UnsentRepository, 'add' | 'remove'>;
  /** Wakes the observations of launches without a known transaction. */
  readonly watch: Pick<StampWatch, 'covers'>;
}

/** Polls once: observes by the rule, stores the observation, and plans the next poll. */
export async function observeLaunchOnce(deps: ObservationDependencies, input: PollInput): Promise<Poll> {
  const launch = await deps.launches.load(input);
  // Registered before the poll, so that the watch sees every later stamp.
  if (isUnsent(input.memory)) await deps.unsent.add(unsentOf(input.launchId, launch));
  const spentBefore =
    launch.family === 'custom-launch.v4' && isUnsent(input.memory) ? await isNonceSpent(deps.l2, launch) : null;
  const { observation, exchanges, proofs } = await pollTarget(deps, judgedTargetOf(launch), input, collectProofs);
  const { status, reason } = observation;
  const now = deps.now();
  const { memory, lengthMs } = await inOrder(deps, input, timeStage(input.memory, observation, now));
  const observedAt = new Date(now);

  const { launchId, handoffSha256 } = input;
  const evidenceSha256 = isTerminal(memory.stage)
    ? await storeEvidence(deps.blobs, {
        launchId,
        handoffSha256,
        launch,
        memory,
        observedAt: observedAt.toISOString(),
        exchanges,
        proofs,
      })
    : null;
  if (evidenceSha256 !== null) failpoint('finality.after-evidence');
  if (lengthMs !== null && input.memory !== null)
    await deps.observations.addDuration(launchId, input.memory.stage, lengthMs, observedAt);
  await deps.observations.save({ launchId, memory, status, reason, evidenceSha256, observedAt });
  if (memory.inclusion !== null) failpoint('finality.after-inclusion');
  if (!isUnsent(memory)) await deps.unsent.remove(launchId);
  const next = await nextPoll(deps, memory, status === 'indeterminate', now);
  return {
    memory,
    observation: { status, reason, at: observedAt.toISOString() },
    ...next,
    nextPollMs: await watchedWait(deps, launch, { ...input, memory }, next.nextPollMs, now),
    evidenceSha256,
    ...(launch.family === 'multi-role.v2' && launch.generation === 'v3'
      ? { v3: { contextHash: launch.handoff.contextHash, onchainLaunchId: launch.target.stamp.launchId } }
      : {}),
    ...(await walletOf(deps, launch, memory, status, spentBefore, now)),
    findings:
      memory.stage === 'reverted_finalized'
        ? [finding('LAUNCH_REVERTED', '', { actual: `transaction ${memory.transactionHash ?? ''}` })]
        : [],
  };
}

/**
 * Numbers the polls of a launch over every run of its observation. A run that was reset or begins anew knows less than
 * the stored observation, and the gateway refuses a number below its own.
 */
async function inOrder(
  { observations }: ObservationDependencies,
  { launchId, memory }: PollInput,
  timed: TimedObservation,
): Promise<TimedObservation> {
  const polls = Math.max(memory?.polls ?? 0, await observations.polls(launchId)) + 1;
  return { ...timed, memory: { ...timed.memory, polls } };
}

/** Returns the wallet's obstacle while a custom launch waits for it and its window is open. */
async function walletOf(
  { l2 }: ObservationDependencies,
  launch: HandedOffLaunch,
  memory: ObservationMemory,
  status: Observation['status'],
  spentBefore: boolean | null,
  now: number,
): Promise<Pick<Poll, 'wallet'>> {
  if (launch.family !== 'custom-launch.v4' || !isUnsent(memory) || status === 'indeterminate') return {};
  if (now >= Number(launch.target.window.deadline) * 1_000) return {};
  const verdict = await walletObstacle(l2, launch, spentBefore, now);
  return verdict.kind === 'unknown' ? {} : { wallet: { reason: verdict.reason } };
}

/** Checks whether no transaction of the launch is known. */
const isUnsent = (memory: ObservationMemory | null): boolean =>
  memory === null || (memory.stage === 'pending' && memory.transactionHash === null);

const unsentOf = (launchId: string, { target }: HandedOffLaunch): UnsentLaunch => ({
  launchId,
  router: target.router,
  onchainLaunchId: target.stamp.launchId,
  searchFrom: target.searchFrom,
});

/** Returns the planned wait, or a longer one if the watch wakes the launch. A client's hint is looked up as before. */
async function watchedWait(
  { watch, l2 }: ObservationDependencies,
  { target, family }: HandedOffLaunch,
  { hints, memory }: Pick<PollInput, 'hints' | 'memory'>,
  plannedMs: number,
  now: number,
): Promise<number> {
  const deadlineMs = Number(target.window.deadline) * 1_000;
  const isCovered = isUnsent(memory) && hints.length === 0 && watch.covers(target.router);
  if (family === 'custom-launch.v4' && isUnsent(memory) && memory !== null && now < deadlineMs) {
    const paceMs = walletPace(now - Date.parse(memory.stageSince));
    return isCovered ? paceMs : Math.min(plannedMs, paceMs);
  }
  if (!isCovered) return plannedMs;
  if (now < deadlineMs) return unsentWait(plannedMs, deadlineMs, null, now);
  const finalized = await bothHeaders(l2, 'finalized');
  const finalizedMs = finalized.kind === 'read' ? Number(finalized.lower.timestamp) * 1_000 : null;
  return unsentWait(plannedMs, deadlineMs, finalizedMs, now);
}

/** Returns the target and rule of a launch of either family. */
const judgedTargetOf = ({ target, rule }: HandedOffLaunch): JudgedTarget<MultiRoleTarget | StampedTarget> => ({
  target,
  rule,
});
