import type { Hex } from 'viem';
import type { LaunchContext, WalletHandoff } from '@launch/contracts';
import {
  childNonce,
  decodeLaunchCalldata,
  expectedStamp,
  LAUNCH_SCOPES,
  type ExpectedStamp,
  type LaunchCall,
  type StampedAccount,
} from '@launch/evm';

/** Everything one launch is recognised by; all of it fixed when the hand-off was stored. */
export interface LaunchTarget {
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
  readonly transaction: { readonly from: Hex; readonly to: Hex; readonly value: bigint; readonly data: Hex };
  /** Unix seconds, both inside. */
  readonly window: { readonly validAfter: bigint; readonly deadline: bigint };
  /** The block the transaction was simulated on: it cannot have been included earlier. */
  readonly searchFrom: bigint;
  /** What the launch must leave on chain, computed from the signed calldata. */
  readonly stamp: ExpectedStamp;
  /** Of V3 launches: the children, each to be proven by itself; null for V2. */
  readonly derived: readonly DerivedTarget[] | null;
}

/** A child that a component's constructor makes. */
export interface DerivedTarget {
  readonly stamped: StampedAccount;
  readonly parent: Hex;
  /** Null when the parent makes no such account at any nonce that is looked at. */
  readonly creationNonce: number | null;
}

/**
 * Derives the target from the stored hand-off and the request's own context, never a newer one.
 * @throws EvmError when the hand-off's calldata is not a launch.
 */
export function launchTarget(handoff: WalletHandoff, context: LaunchContext, generation: 'v2' | 'v3'): LaunchTarget {
  const { walletTransaction, simulation } = handoff;
  const { chainDeployment } = context;
  const { call, permit } = decodeLaunchCalldata(walletTransaction.data);
  const chainId = BigInt(walletTransaction.chainId);
  const router = walletTransaction.to;
  const stamp = expectedStamp({ chainId, router }, call, permit);
  return {
    chainId,
    router,
    routerCodeHash: chainDeployment.router.runtimeCodeHash,
    sequencerInbox: chainDeployment.sequencerInbox,
    bridge: chainDeployment.bridge,
    nodeInterface: chainDeployment.nodeInterface,
    genesisBlock: BigInt(chainDeployment.genesisBlock),
    controller: permit.controller,
    nonce: permit.nonce,
    transaction: {
      from: walletTransaction.from,
      to: router,
      value: BigInt(walletTransaction.value),
      data: walletTransaction.data,
    },
    window: { validAfter: permit.validAfter, deadline: permit.deadline },
    searchFrom: BigInt(simulation.blockNumber),
    stamp,
    derived: generation === 'v3' ? derivedTargets(call, stamp) : null,
  };
}

/** The children of a launch with their parents; the router stamps both lists in the call's order. */
export function derivedTargets(call: Pick<LaunchCall, 'children'>, stamp: ExpectedStamp): DerivedTarget[] {
  const components = stamp.accounts.filter(({ scope }) => scope === LAUNCH_SCOPES.component);
  const children = stamp.accounts.filter(({ scope }) => scope === LAUNCH_SCOPES.child);
  return children.map((stamped, index) => {
    const parent = components[call.children[index]?.parentIndex ?? -1]?.account;
    if (parent === undefined) throw new TypeError('a child of a launch has its parent among the components');
    return { stamped, parent, creationNonce: childNonce(parent, stamped.account) };
  });
}
