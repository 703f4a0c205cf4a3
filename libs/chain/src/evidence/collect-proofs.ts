import type {
  CodeProof,
  FinalityProofs,
  L1Checkpoint,
  L1Posting,
  L2Inclusion,
  StateProof,
  StepProofs,
} from '@launch/contracts/launch';
import { EvmError } from '@launch/evm';
import { ChainError } from '../chain.error.js';
import type { ComponentTarget, LaunchTarget, MultiRoleTarget, StampedTarget } from '../finality/launch-target.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { proveAncestry } from './prove-ancestry.js';
import { proveCode, proveState } from './prove-state.js';
import { proveTransaction } from './prove-transaction.js';
import { UnprovableError } from './unprovable.error.js';

export interface ProvenLaunch<Target extends LaunchTarget = MultiRoleTarget | StampedTarget> {
  readonly target: Target;
  readonly inclusion: L2Inclusion;
  readonly posting: L1Posting;
  readonly checkpoint: L1Checkpoint;
}

/** Milliseconds that one observer has for one proof. Finality does not wait for a slow node's evidence. */
const PROOF_MILLISECONDS = 30_000;

/**
 * Collects the proofs that do not depend on an observer's honesty, from either observer that returns the data. Each
 * proof is verified against the agreed block hash, so its source does not matter. A proof that is unavailable or late
 * carries the reason and does not delay the others.
 */
export const collectProofs = (
  l2: ObserverPair,
  l1: ObserverPair,
  launch: ProvenLaunch,
  milliseconds = PROOF_MILLISECONDS,
): Promise<FinalityProofs> =>
  collect(l2, l1, launch, (observer) => proveState(observer, launch.target, launch.inclusion.blockHash), milliseconds);

/** Collects the proofs of a plan's step. The state of a deploy step is its component's code. */
export const collectStepProofs = (
  l2: ObserverPair,
  l1: ObserverPair,
  step: ProvenLaunch<StampedTarget | ComponentTarget>,
  milliseconds = PROOF_MILLISECONDS,
): Promise<StepProofs> => {
  const { target, inclusion } = step;
  return collect<StateProof | CodeProof>(
    l2,
    l1,
    step,
    (observer) =>
      target.provenBy === 'code'
        ? proveCode(observer, target, inclusion.blockHash)
        : proveState(observer, target, inclusion.blockHash),
    milliseconds,
  );
};

async function collect<State extends object>(
  l2: ObserverPair,
  l1: ObserverPair,
  { inclusion, posting, checkpoint }: Omit<ProvenLaunch, 'target'>,
  proveTarget: (observer: RpcObserver) => Promise<State>,
  milliseconds: number,
): Promise<Omit<FinalityProofs, 'state'> & { state: State | Unavailable }> {
  const l2Block = inclusion.blockHash;
  const proof = <T>(pair: ObserverPair, prove: (observer: RpcObserver) => Promise<T>): Promise<T | Unavailable> =>
    fromEither(pair, prove, milliseconds);
  const [ofInclusion, ofPosting, ancestry, state] = await Promise.all([
    proof(l2, (observer) => proveTransaction(observer, l2Block, inclusion.transactionHash)),
    proof(l1, (observer) => proveTransaction(observer, posting.l1BlockHash, posting.batchTransactionHash)),
    proof(l1, (observer) => proveAncestry(observer, posting, checkpoint)),
    proof(l2, proveTarget),
  ]);
  return { inclusion: ofInclusion, posting: ofPosting, ancestry, state };
}

type Unavailable = Extract<FinalityProofs['state'], { kind: 'unavailable' }>;

async function fromEither<T>(
  [first, second]: ObserverPair,
  prove: (observer: RpcObserver) => Promise<T>,
  milliseconds: number,
): Promise<T | Unavailable> {
  const proof = await attempt(untilLate(first, milliseconds), prove);
  return 'reason' in proof ? unwrap(await attempt(untilLate(second, milliseconds), prove)) : proof.value;
}

/** Wraps an observer so that it sends no request after its time. */
function untilLate(observer: RpcObserver, milliseconds: number): RpcObserver {
  const end = performance.now() + milliseconds;
  return {
    ...observer,
    request: async (method, params) => {
      if (performance.now() >= end) throw new ChainError('RPC_TIMEOUT', { observer: observer.id, method });
      return observer.request(method, params);
    },
  };
}

const unwrap = <T>(proof: { readonly value: T } | { readonly reason: string }): T | Unavailable =>
  'reason' in proof ? { kind: 'unavailable', reason: proof.reason } : proof.value;

async function attempt<T>(
  observer: RpcObserver,
  prove: (observer: RpcObserver) => Promise<T>,
): Promise<{ readonly value: T } | { readonly reason: string }> {
  try {
    return { value: await prove(observer) };
  } catch (error) {
    if (error instanceof ChainError || error instanceof EvmError || error instanceof UnprovableError)
      return { reason: error.code };
    throw error;
  }
}
