import {
  observeOnce,
  recordingObserver,
  rpcL1Observer,
  rpcL2Observer,
  type FinalityRule,
  type LaunchTarget,
  type LogSearch,
  type Poll,
  type ObserverPair,
  type RpcExchange,
} from '@launch/chain';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { confirmFinality, type CollectProofs, type ConfirmedEnd } from './confirm-finality.js';

export interface PollDependencies {
  readonly l2: ObserverPair;
  readonly l1: ObserverPair;
  /** The range and step of an observation's own search of the router's logs. */
  readonly logSearch: LogSearch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The target of a poll, and its rule. */
export interface JudgedTarget<Target extends LaunchTarget> {
  readonly target: Target;
  readonly rule: FinalityRule;
}

/** Polls a target and returns its recording; for a finalized target, the recording of the confirming poll alone. */
export async function pollTarget<Target extends LaunchTarget, Proofs>(
  deps: PollDependencies,
  judged: JudgedTarget<Target>,
  { memory, hints }: { readonly memory: ObservationMemory | null; readonly hints: readonly Hex[] },
  prove: CollectProofs<Target, Proofs>,
): Promise<ConfirmedEnd<Proofs> & { readonly exchanges: readonly RpcExchange[] }> {
  const exchanges: RpcExchange[] = [];
  const observation = await observeOnce(recordingPoll(deps, judged, exchanges), memory, hints);
  if (observation.memory.stage !== 'finalized') return { observation, exchanges, proofs: null };
  const confirming: RpcExchange[] = [];
  return {
    ...(await confirmFinality(recordingPoll(deps, judged, confirming), deps, memory, observation, prove)),
    exchanges: confirming,
  };
}

/** Creates a poll through both observers of both chains that records their answers in `exchanges`. */
export function recordingPoll<Target extends LaunchTarget>(
  deps: PollDependencies,
  { target, rule }: JudgedTarget<Target>,
  exchanges: RpcExchange[],
): Poll<Target> {
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
