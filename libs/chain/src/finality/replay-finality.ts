import type { Hex } from '@launch/contracts/primitives';
import type { RpcExchange } from '../rpc/recording.observer.js';
import { replayingObserver, type ReplayingObserver } from '../rpc/replaying.observer.js';
import type { LaunchTarget } from './launch-target.js';
import { observeOnce, type Observation } from './observe-once.js';
import type { FinalityRule } from './ports.types.js';
import { rpcL1Observer } from './rpc-l1.observer.js';
import { rpcL2Observer } from './rpc-l2.observer.js';

interface ObserverIdentity {
  readonly id: string;
  readonly originCommitment: Hex;
}

export interface RecordedPoll {
  readonly l2: readonly ObserverIdentity[];
  readonly l1: readonly ObserverIdentity[];
  readonly target: LaunchTarget;
  /** The rule of the bundle; a later one may need answers that were not recorded. */
  readonly rule: FinalityRule;
  /** The transaction of the poll. */
  readonly transactionHash: Hex;
  readonly exchanges: readonly RpcExchange[];
  /** The time of the poll, milliseconds since 1970. */
  readonly at: number;
}

/**
 * Replays the finality rule on recorded answers alone, in the version that judged at that time. Answers that it does
 * not use are returned as `unasked`.
 */
export async function replayFinality(
  poll: RecordedPoll,
): Promise<Observation & { readonly unasked: readonly RpcExchange[] }> {
  const pair = (
    identities: readonly ObserverIdentity[],
    chainId: number,
  ): readonly [ReplayingObserver, ReplayingObserver] => {
    const [first, second] = identities;
    if (first === undefined || second === undefined) throw new TypeError('a chain has two observers');
    return [
      replayingObserver({ ...first, chainId }, poll.exchanges),
      replayingObserver({ ...second, chainId }, poll.exchanges),
    ];
  };
  const l2 = pair(poll.l2, Number(poll.target.chainId));
  const l1 = pair(poll.l1, 1);
  const observation = await observeOnce(
    {
      l2: [rpcL2Observer(l2[0]), rpcL2Observer(l2[1])],
      l1: [rpcL1Observer(l1[0]), rpcL1Observer(l1[1])],
      target: poll.target,
      rule: poll.rule,
      now: () => poll.at,
    },
    null,
    [poll.transactionHash],
  );
  const asked = new Set([...l2, ...l1].map(({ id, chainId }) => `${chainId} ${id}`));
  const strangers = poll.exchanges.filter(({ chainId, observer }) => !asked.has(`${chainId} ${observer}`));
  return { ...observation, unasked: [...l2, ...l1].flatMap((observer) => observer.unasked()).concat(strangers) };
}
