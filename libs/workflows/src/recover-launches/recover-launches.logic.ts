import type {
  FinalizedHead,
  RecoveryResolveActivities,
  RecoveryScanActivities,
  RecoveryTarget,
} from '@launch/contracts/orchestration';

export interface RecoverySteps {
  readonly finality: RecoveryScanActivities;
  readonly gateway: RecoveryResolveActivities;
  /** Whether the history has become long enough to go on in a new run. */
  readonly isHistoryLong: (rounds: number) => boolean;
}

/** While the gateway names no router there is nothing to search. */
const IDLE_MS = 15_000;

/**
 * Searches the stamps of finalized blocks for launches whose observation does not know its transaction.
 * A checkpoint moves only after the stamps before it were resolved, so a crash anywhere repeats a step and loses none.
 * @returns `caught-up` once everything up to the finalized head is searched, or nothing can be said of the rest;
 *   `more` when the history is long: the caller goes on in a new run, since everything it knows is in the databases.
 */
export async function recoverLaunchesLogic(steps: RecoverySteps): Promise<'caught-up' | 'more'> {
  for (let rounds = 1; ; rounds++) {
    if ((await searchRound(steps)) > 0) return 'caught-up';
    if (steps.isHistoryLong(rounds)) return 'more';
  }
}

/** The same for ever, with a pause where there is nothing more: what a run did before the server started runs by a schedule. */
export async function recoverForEver(
  steps: RecoverySteps & { readonly pause: (milliseconds: number) => Promise<void> },
): Promise<void> {
  for (let rounds = 1; ; rounds++) {
    const wait = await searchRound(steps);
    if (steps.isHistoryLong(rounds)) return;
    if (wait > 0) await steps.pause(wait);
  }
}

/** One step of every router. @returns the milliseconds after which the most impatient is to be searched again; 0: at once. */
async function searchRound(steps: RecoverySteps): Promise<number> {
  const head = await steps.finality.finalizedHead();
  const targets = await steps.gateway.recoveryTargets();
  let wait = IDLE_MS;
  for (const target of targets) wait = Math.min(wait, await searchOnce(steps, target, head));
  return wait;
}

async function searchOnce(
  { finality, gateway }: RecoverySteps,
  target: RecoveryTarget,
  head: FinalizedHead,
): Promise<number> {
  const scan = await finality.scanStamps({ ...target, ...head });
  const { router, stamps, before, through, observation, reason } = scan;
  if (stamps.length > 0) await gateway.resolveStamps({ router, stamps });
  if (through !== null && through.blockHash !== before?.blockHash)
    await finality.commitCheckpoint({ router, before, through });
  await gateway.recordRecovery({ router, checkpoint: through, head: scan.head, observation, reason });
  return scan.nextScanMs;
}
