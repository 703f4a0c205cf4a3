import type { Hex } from 'viem';
import type { LaunchContext, WalletHandoff } from '@launch/contracts/multi-role';
import {
  childNonce,
  decodeLaunchCalldata,
  expectedStamp,
  LAUNCH_SCOPES,
  type ExpectedStamp,
  type ExpectedStampV1,
  type LaunchCall,
  type LaunchPermit,
  type RouterIdentity,
  type StampedAccount,
} from '@launch/evm';

/** The place and end of the search for a launch, fixed when the hand-off was stored. */
export interface TargetPlace {
  readonly chainId: bigint;
  readonly router: Hex;
  /** keccak-256 of the router's runtime, as the launch's own context pins it. */
  readonly routerCodeHash: Hex;
  readonly sequencerInbox: Hex;
  readonly bridge: Hex;
  readonly nodeInterface: Hex;
  /** L2 block of the rollup's message 0. */
  readonly genesisBlock: bigint;
  readonly controller: Hex;
  readonly nonce: bigint;
  /** Unix seconds, both inclusive. */
  readonly window: { readonly validAfter: bigint; readonly deadline: bigint };
  /** The block of the simulation; the transaction cannot have been included earlier. */
  readonly searchFrom: bigint;
}

/** The stored hand-off, which the transaction must equal. Value in wei. */
export interface ExactTransaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
}

/** A multi-role launch: the exact transaction, and router V2's stamp. */
export interface MultiRoleTarget extends TargetPlace {
  readonly provenBy: 'stamp-v2';
  readonly transaction: ExactTransaction;
  /** The stamp that the launch must leave on chain, computed from the signed calldata. */
  readonly stamp: ExpectedStamp;
  /** The children of a V3 launch, each proven separately; null for V2. */
  readonly derived: readonly DerivedTarget[] | null;
}

/** A custom launch, or the registration of a plan: router V1's stamp. */
export interface StampedTarget extends TargetPlace {
  readonly provenBy: 'stamp-v1';
  /**
   * Null for an atomic plan: its transaction is the wallet's own and cannot be predicted. The stamp identifies it,
   * since only the controller can make the router stamp this permit.
   */
  readonly transaction: ExactTransaction | null;
  readonly stamp: ExpectedStampV1;
  readonly derived: null;
}

/** A plan's deploy step: the exact transaction, and the declared code at the predicted account. */
export interface ComponentTarget extends TargetPlace {
  readonly provenBy: 'code';
  readonly transaction: ExactTransaction;
  readonly component: {
    readonly permitDigest: Hex;
    /** The component's position in its graph, which the router's event contains. */
    readonly ordinal: number;
    readonly account: Hex;
    readonly runtimeCodeHash: Hex;
  };
  readonly derived: null;
}

/** The identifying facts of one launch or step, by its kind of proof. */
export type LaunchTarget = MultiRoleTarget | StampedTarget | ComponentTarget;

/** A child that a component's constructor creates. */
export interface DerivedTarget {
  readonly stamped: StampedAccount;
  readonly parent: Hex;
  /** Null if the parent creates no such account at any searched nonce. */
  readonly creationNonce: number | null;
}

/**
 * Derives the target from the stored hand-off and the request's own context, never a newer one.
 * @throws EvmError if the hand-off's calldata is not a launch.
 */
export function launchTarget(handoff: WalletHandoff, context: LaunchContext, generation: 'v2' | 'v3'): MultiRoleTarget {
  const { walletTransaction, simulation } = handoff;
  const { call, permit } = decodeLaunchCalldata(walletTransaction.data);
  const chainId = BigInt(walletTransaction.chainId);
  const router = walletTransaction.to;
  const stamp = expectedStamp({ chainId, router }, call, permit);
  return {
    provenBy: 'stamp-v2',
    ...placeOf({ chainId, router }, permit, simulation, context),
    transaction: exactTransaction(walletTransaction),
    stamp,
    derived: generation === 'v3' ? derivedTargets(call, stamp) : null,
  };
}

/** The hand-off's transaction in terms of the chain. */
export type HandedOff = Pick<WalletHandoff, 'walletTransaction'> & {
  readonly simulation: Pick<WalletHandoff['simulation'], 'blockNumber'>;
};

export const exactTransaction = ({ from, to, value, data }: HandedOff['walletTransaction']): ExactTransaction => ({
  from,
  to,
  value: BigInt(value),
  data,
});

/** Returns the search place of a permit's transactions. The context of the launch pins the router's program. */
export function placeOf(
  identity: RouterIdentity,
  permit: LaunchPermit,
  simulation: HandedOff['simulation'],
  { chainDeployment }: Pick<LaunchContext, 'chainDeployment'>,
): TargetPlace {
  return {
    chainId: identity.chainId,
    router: identity.router,
    routerCodeHash: chainDeployment.router.runtimeCodeHash,
    sequencerInbox: chainDeployment.sequencerInbox,
    bridge: chainDeployment.bridge,
    nodeInterface: chainDeployment.nodeInterface,
    genesisBlock: BigInt(chainDeployment.genesisBlock),
    controller: permit.controller,
    nonce: permit.nonce,
    window: { validAfter: permit.validAfter, deadline: permit.deadline },
    searchFrom: BigInt(simulation.blockNumber),
  };
}

/** Returns the children of a launch with their parents. The router stamps both lists in the call's order. */
export function derivedTargets(call: Pick<LaunchCall, 'children'>, stamp: ExpectedStamp): DerivedTarget[] {
  const components = stamp.accounts.filter(({ scope }) => scope === LAUNCH_SCOPES.component);
  const children = stamp.accounts.filter(({ scope }) => scope === LAUNCH_SCOPES.child);
  return children.map((stamped, index) => {
    const parent = components[call.children[index]?.parentIndex ?? -1]?.account;
    if (parent === undefined) throw new TypeError('a child of a launch has its parent among the components');
    return { stamped, parent, creationNonce: childNonce(parent, stamped.account) };
  });
}
