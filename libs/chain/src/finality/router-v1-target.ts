import type { Hex } from 'viem';
import type { LaunchContext } from '@launch/contracts/multi-role';
import {
  decodeRouterV1Calldata,
  EvmError,
  expectedStampV1,
  permitV1Digest,
  predictedAddress,
  registerCallOf,
  type RouterV1Invocation,
} from '@launch/evm';
import {
  exactTransaction,
  placeOf,
  type ComponentTarget,
  type HandedOff,
  type StampedTarget,
  type TargetPlace,
} from './launch-target.js';

/** The chain facts in the context of a launch through router V1. */
type Deployment = Pick<LaunchContext, 'chainDeployment'>;

/** The authorised calls of an atomic plan, simulated on `blockNumber`. */
export interface HandedOffBatch {
  /** Decimal. */
  readonly chainId: string;
  readonly calls: readonly { readonly to: Hex; readonly data: Hex }[];
  readonly simulation: { readonly blockNumber: string };
}

/**
 * Derives the target of one stored transaction through router V1. Its calldata determines the proof: the stamp of a
 * custom launch and of a plan's registration, the code of a plan's deploy step.
 * @param context the request's own, never a newer one.
 * @throws EvmError if the calldata is not a call of router V1.
 */
export function routerV1Target(
  { walletTransaction, simulation }: HandedOff,
  context: Deployment,
): StampedTarget | ComponentTarget {
  const invocation = decodeRouterV1Calldata(walletTransaction.data);
  const identity = { chainId: BigInt(walletTransaction.chainId), router: walletTransaction.to };
  const place = placeOf(identity, invocation.permit, simulation, context);
  const transaction = exactTransaction(walletTransaction);
  if (invocation.entryPoint !== 'deployComponent') return stampedTarget(place, transaction, invocation, context);
  const { ordinal, component } = invocation.step;
  return {
    provenBy: 'code',
    ...place,
    transaction,
    component: {
      permitDigest: permitV1Digest(identity, invocation.permit),
      ordinal,
      account: predictedAddress({ deployer: identity.router, salt: component.salt, initCode: component.initCode }),
      runtimeCodeHash: component.runtimeCodeHash,
    },
    derived: null,
  };
}

/**
 * Derives the target of an atomic plan: the stamp of its registration, in any transaction.
 * @throws EvmError `LAUNCH_CALLDATA_INVALID` if the last call is not a registration.
 */
export function atomicLaunchTarget({ chainId, calls, simulation }: HandedOffBatch, context: Deployment): StampedTarget {
  const last = calls.at(-1);
  const invocation = decodeRouterV1Calldata(last?.data ?? '0x');
  if (last === undefined || invocation.entryPoint !== 'register') throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
  const identity = { chainId: BigInt(chainId), router: last.to };
  return stampedTarget(placeOf(identity, invocation.permit, simulation, context), null, invocation, context);
}

function stampedTarget(
  place: TargetPlace,
  transaction: StampedTarget['transaction'],
  invocation: Exclude<RouterV1Invocation, { readonly entryPoint: 'deployComponent' }>,
  { chainDeployment }: Deployment,
): StampedTarget {
  const call = invocation.entryPoint === 'launch' ? registerCallOf(invocation.call) : invocation.call;
  const identity = {
    chainId: place.chainId,
    router: place.router,
    poolManager: chainDeployment.poolManager.address,
  };
  return {
    provenBy: 'stamp-v1',
    ...place,
    transaction,
    stamp: expectedStampV1(identity, call, invocation.permit),
    derived: null,
  };
}
