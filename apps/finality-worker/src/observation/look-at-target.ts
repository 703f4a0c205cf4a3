import {
  observeOnce,
  recordingObserver,
  rpcL1Observer,
  rpcL2Observer,
  type FinalityRule,
  type LaunchTarget,
  type LogSearch,
  type Look,
  type ObserverPair,
  type RpcExchange,
} from '@launch/chain';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { confirmFinality, type CollectProofs, type ConfirmedEnd } from './confirm-finality.js';

export interface LookDependencies {
  readonly l2: ObserverPair;
  readonly l1: ObserverPair;
  /** How far, and in what steps, an observation itself searches the router's logs. */
  readonly logSearch: LogSearch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What is looked for, and by which rule. */
export interface Looked<Target extends LaunchTarget> {
  readonly target: Target;
  readonly rule: FinalityRule;
}

/** The look, with what it recorded; of what is found finalized that is the confirming look alone. */
export async function lookAtTarget<Target extends LaunchTarget, Proofs>(
  deps: LookDependencies,
  looked: Looked<Target>,
  { memory, hints }: { readonly memory: ObservationMemory | null; readonly hints: readonly Hex[] },
  prove: CollectProofs<Target, Proofs>,
): Promise<ConfirmedEnd<Proofs> & { readonly exchanges: readonly RpcExchange[] }> {
  const exchanges: RpcExchange[] = [];
  const observation = await observeOnce(recordedLook(deps, looked, exchanges), memory, hints);
  if (observation.memory.stage !== 'finalized') return { observation, exchanges, proofs: null };
  const confirming: RpcExchange[] = [];
  return {
    ...(await confirmFinality(recordedLook(deps, looked, confirming), deps, memory, observation, prove)),
    exchanges: confirming,
  };
}

/** Both observers of both chains; what they answer is kept in `exchanges`. */
export function recordedLook<Target extends LaunchTarget>(
  deps: LookDependencies,
  { target, rule }: Looked<Target>,
  exchanges: RpcExchange[],
): Look<Target> {
  const record = (exchange: RpcExchange): void => void exchanges.push(exchange);
  const recorded = (pair: ObserverPair) =>
    [recordingObserver(pair[0], record, deps.now), recordingObserver(pair[1], record, deps.now)] as const;
  const [l2a, l2b] = recorded(deps.l2);
  const [l1a, l1b] = recorded(deps.l1);
  return {
    l2: [rpcL2Observer(l2a, deps.logSearch), rpcL2Observer(l2b, deps.logSearch)],
    l1: [rpcL1Observer(l1a), rpcL1Observer(l1b)],
    target,
    rule,
    now: deps.now,
  };
}
