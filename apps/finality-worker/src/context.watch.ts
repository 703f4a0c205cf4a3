import {
  chainIdReasons,
  finalityPolicyReasons,
  observersOfContext,
  readPinnedContracts,
  type ObserverPair,
} from '@launch/chain';
import type { AnyLaunchContext } from '@launch/contracts/launch';

/** Remembers whether the configured observers and their chain are those of the published context. */
export interface ContextWatch {
  refresh(): Promise<void>;
  /** @throws Error naming the reasons while the observers' last agreed statement contradicts the context. */
  hold(): Promise<void>;
  /** Returns the same reasons; none while the last statement confirmed the context. */
  reasons(): readonly string[];
}

/**
 * Creates a watch that checks on its own schedule, not when readiness is read. An unreachable or slow observer makes no
 * statement and does not stop a worker, because the finality rule tolerates it.
 */
export function createContextWatch(context: AnyLaunchContext, l2: ObserverPair, l1: ObserverPair): ContextWatch {
  const policy = finalityPolicyReasons(context);
  let against: readonly string[] = policy;
  return {
    async refresh() {
      const reasons = [
        ...policy,
        ...observersOfContext(context, { l2, l1 }),
        ...(await readPinnedContracts(l2, context)),
        ...(await chainIdReasons(l1, 'L1_CHAIN_ID_MISMATCH')),
      ];
      const stated = reasons.filter((reason) => reason !== 'OBSERVERS_INDETERMINATE');
      if (stated.length > 0 || !reasons.includes('OBSERVERS_INDETERMINATE')) against = stated;
    },
    reasons: () => against,
    async hold() {
      if (against.length > 0) throw new Error(`not the chain of the context: ${against.join(', ')}`);
    },
  };
}
