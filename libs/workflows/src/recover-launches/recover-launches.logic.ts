import type {
  FinalizedHead,
  RecoveryResolveActivities,
  RecoveryScanActivities,
  RecoveryTarget,
} from '@launch/contracts/orchestration';

export interface RecoverySteps {
  readonly finality: RecoveryScanActivities;
  readonly gateway: RecoveryResolveActivities;
}

/** Delay of the next round while the gateway names no router. */
export const IDLE_MS = 15_000;

/**
 * Searches the stamps of finalized blocks for launches whose observation does not know its transaction, one step per
 * router. A checkpoint moves only after the stamps before it are resolved, so a crash repeats a step and loses none.
 * @returns milliseconds until the earliest next search of a router; 0 for immediately.
 */
export async function searchRound(steps: RecoverySteps): Promise<number> {
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
