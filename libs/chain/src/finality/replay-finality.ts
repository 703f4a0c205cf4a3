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

export interface RecordedLook {
  readonly l2: readonly ObserverIdentity[];
  readonly l1: readonly ObserverIdentity[];
  readonly target: LaunchTarget;
  /** The rule that the bundle names: a later one may ask what was not recorded. */
  readonly rule: FinalityRule;
  /** The transaction that was looked at. */
  readonly transactionHash: Hex;
  readonly exchanges: readonly RpcExchange[];
  /** When it was looked, milliseconds since 1970. */
  readonly at: number;
}

/**
 * The finality rule once more, from nothing, on recorded answers alone: the same version that judged then. Answers that
 * it does not ask for come back as `unasked`.
 */
export async function replayFinality(
  look: RecordedLook,
): Promise<Observation & { readonly unasked: readonly RpcExchange[] }> {
  const pair = (
    identities: readonly ObserverIdentity[],
    chainId: number,
  ): readonly [ReplayingObserver, ReplayingObserver] => {
    const [first, second] = identities;
    if (first === undefined || second === undefined) throw new TypeError('a chain has two observers');
    return [
      replayingObserver({ ...first, chainId }, look.exchanges),
      replayingObserver({ ...second, chainId }, look.exchanges),
    ];
  };
  const l2 = pair(look.l2, Number(look.target.chainId));
  const l1 = pair(look.l1, 1);
  const observation = await observeOnce(
    {
      l2: [rpcL2Observer(l2[0]), rpcL2Observer(l2[1])],
      l1: [rpcL1Observer(l1[0]), rpcL1Observer(l1[1])],
      target: look.target,
      rule: look.rule,
      now: () => look.at,
    },
    null,
    [look.transactionHash],
  );
  const asked = new Set([...l2, ...l1].map(({ id, chainId }) => `${chainId} ${id}`));
  const strangers = look.exchanges.filter(({ chainId, observer }) => !asked.has(`${chainId} ${observer}`));
  return { ...observation, unasked: [...l2, ...l1].flatMap((observer) => observer.unasked()).concat(strangers) };
}
