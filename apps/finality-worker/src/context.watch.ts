import {
  chainIdReasons,
  finalityPolicyReasons,
  observersOfContext,
  readPinnedContracts,
  type ObserverPair,
} from '@launch/chain';
import type { AnyLaunchContext } from '@launch/contracts/launch';

/** Remembers whether the configured observers and the chain behind them are those of the published context. */
export interface ContextWatch {
  refresh(): Promise<void>;
  /** @throws Error naming the reasons, while the last statement both observers made is against the context. */
  hold(): Promise<void>;
  /** The same reasons; none while the last statement was for the context. */
  reasons(): readonly string[];
}

/**
 * It looks by itself, not when readiness is asked. An observer that is away or slow makes no statement and takes no
 * worker down: the finality rule lives with that.
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
