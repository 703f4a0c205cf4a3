import type { CreateRequest } from '@launch/contracts/multi-role';
import type { PermitFieldsV1 } from '@launch/contracts/orchestration';
import type { PlanMode } from '@launch/contracts/plans';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { keccak256, toBytes } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { PLATFORM_FEE_BPS } from '../economics/fee-kernel.js';
import { artifactHashOf, callHash, graphHash, poolHash } from '../launch-call/launch-hashes.js';
import type { LaunchCall } from '../launch-call/launch.types.js';
import { permitV1Digest } from '../permit/launch-permit.js';
import { encodeRouterV1Calldata } from '../router-v1/router-v1.calldata.js';
import {
  atomicDigest,
  componentStepsOf,
  launchStepsHash,
  onchainLaunchIdV1,
  planStepsHash,
  registerCallHash,
  registerCallOf,
} from '../router-v1/router-v1.hashes.js';
import { expectedStampV1, type ExpectedStampV1, type RouterV1Identity } from '../router-v1/router-v1.stamp.js';
import { LAUNCH_MODES, type LaunchMode, type LaunchPermitV1, type WalletCall } from '../router-v1/router-v1.types.js';
import { graphCallOf, permitFromWire, permitToWire, type GraphParts } from './launch-of-request.js';

/** The funding of a custom-launch request or a plan in decimal wei; the minimum in raw units of the token. */
export interface LaunchFunding {
  readonly initialBuyWei: string;
  readonly minimumTokensOut: string;
  readonly liquidityNativeWei: string;
}

/** The parts of a custom-launch request or a plan that decide the launch; a pack config has the same parts. */
export type LaunchPartsV1 = GraphParts &
  Pick<CreateRequest, 'launchWallet' | 'nonce' | 'permitWindow'> & {
    readonly contextHash: Hex;
    readonly funding: LaunchFunding;
    /** The mode of a plan; a custom launch has none and is one call. */
    readonly mode?: PlanMode | undefined;
  };

export type { PlanMode };

/** The parts of a published context that a launch through router V1 uses. */
export interface ContextPartsV1 {
  readonly profile: {
    readonly schemaVersion: string;
    readonly instructionPolicy: { readonly policyHash: Hex };
  };
  readonly chainDeployment: {
    readonly router: { readonly address: Hex };
    readonly poolManager: { readonly address: Hex };
  };
}

/** Every hash of a launch through router V1 that is known before any signature. */
export interface LaunchCommitmentsV1 {
  readonly graphHash: Hex;
  readonly poolHash: Hex;
  /** The hash of the `LaunchCall` of a custom launch, or of the `RegisterCall` of a plan. */
  readonly callHash: Hex;
  readonly stepsHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
}

/** Returns the router of every launch under this context, and the PoolManager that it was deployed for. */
export const routerV1Of = ({ chainDeployment }: ContextPartsV1): RouterV1Identity => ({
  chainId: BigInt(CHAIN_ID),
  router: chainDeployment.router.address,
  poolManager: chainDeployment.poolManager.address,
});

/** Returns the way in which a request is carried out on chain. */
export const launchModeOf = ({ mode }: Pick<LaunchPartsV1, 'mode'>): LaunchMode =>
  mode === undefined ? LAUNCH_MODES.single : LAUNCH_MODES[mode];

/** Returns the one call that a custom-launch request describes, or the graph of a plan, in the router's ABI order. */
export const launchV1CallOf = (parts: GraphParts & Pick<LaunchPartsV1, 'funding'>): LaunchCall =>
  graphCallOf(parts, { ...parts.funding, nativeLiquidityWei: parts.funding.liquidityNativeWei });

/**
 * Returns the on-chain totals of a first buy in wei: the whole value of the launch, and the platform's fee, which is
 * part of the buy and never added.
 */
export function fundingTotals(terms: { readonly initialBuyWei: bigint; readonly liquidityNativeWei: bigint }): {
  readonly platformFeeWei: bigint;
  readonly totalValueWei: bigint;
} {
  return {
    platformFeeWei: (terms.initialBuyWei * BigInt(PLATFORM_FEE_BPS)) / 10_000n,
    totalValueWei: terms.initialBuyWei + terms.liquidityNativeWei,
  };
}

/**
 * Returns every hash that is known before any signature. @throws {EvmError} for values that the ABI types cannot hold.
 */
export function launchV1Commitments(parts: LaunchPartsV1, context: ContextPartsV1): LaunchCommitmentsV1 {
  const call = launchV1CallOf(parts);
  const value = call.initialBuyWei + call.nativeLiquidityWei;
  const single = parts.mode === undefined;
  const ofCall = single ? callHash(call) : registerCallHash(registerCallOf(call));
  const hashes = { graphHash: graphHash(call), poolHash: poolHash(call), callHash: ofCall };
  const componentHashes = componentStepsOf(call)[0]?.componentHashes ?? [];
  return {
    ...hashes,
    stepsHash: single ? launchStepsHash(ofCall, value) : planStepsHash(componentHashes, ofCall, value),
    artifactHash: artifactHashOf(hashes),
    onchainLaunchId: onchainLaunchIdV1(routerV1Of(context), parts.launchWallet, BigInt(parts.nonce)),
  };
}

/**
 * Builds the permit for a custom-launch request or a plan. No field comes from unsigned input. A plan has this one
 * permit for all of its steps.
 */
export function launchPermitV1Of(
  parts: LaunchPartsV1,
  context: ContextPartsV1,
  hashes: { readonly requestHash: Hex; readonly economicsHash: Hex },
): LaunchPermitV1 {
  const commitments = launchV1Commitments(parts, context);
  const { initialBuyWei, nativeLiquidityWei } = launchV1CallOf(parts);
  return {
    controller: parts.launchWallet,
    requestHash: hashes.requestHash,
    contextHash: parts.contextHash,
    economicsHash: hashes.economicsHash,
    instructionPolicyHash: context.profile.instructionPolicy.policyHash,
    graphHash: commitments.graphHash,
    poolHash: commitments.poolHash,
    callHash: commitments.callHash,
    value: initialBuyWei + nativeLiquidityWei,
    nonce: BigInt(parts.nonce),
    validAfter: BigInt(parts.permitWindow.validAfter),
    deadline: BigInt(parts.permitWindow.deadline),
    profile: keccak256(toBytes(context.profile.schemaVersion)),
    mode: launchModeOf(parts),
    stepsHash: commitments.stepsHash,
  };
}

/** Computes the stamp that a launch must leave on chain from the signed values. */
export const launchStampV1Of = (
  parts: LaunchPartsV1,
  context: ContextPartsV1,
  permit: LaunchPermitV1,
): ExpectedStampV1 => expectedStampV1(routerV1Of(context), registerCallOf(launchV1CallOf(parts)), permit);

/** One step that a controller is offered; ids are the request's own component ids. */
export type PlanStep =
  | {
      readonly stepId: string;
      readonly ordinal: number;
      readonly kind: 'deploy_component' | 'register';
      /** Steps that must be included before this one: the router accepts them only in their order. */
      readonly dependsOn: readonly string[];
      readonly call: WalletCall;
    }
  | {
      readonly stepId: 'atomic-launch';
      readonly ordinal: 0;
      readonly kind: 'atomic_launch';
      readonly dependsOn: readonly [];
      /** One EIP-5792 batch in this order, which the wallet executes completely or not at all. */
      readonly calls: readonly WalletCall[];
      /** keccak256(abi.encode(permitDigest, keccak256(abi.encode(calls)))). */
      readonly digest: Hex;
    };

/** Returns the steps of a plan without their calldata, in graph order: the part that is known before any signature. */
export function planStepsOf(
  parts: Pick<LaunchPartsV1, 'graphBundle'> & { readonly mode: PlanMode },
): readonly { readonly stepId: string; readonly ordinal: number; readonly kind: PlanStep['kind'] }[] {
  if (parts.mode === 'atomic') return [{ stepId: 'atomic-launch', ordinal: 0, kind: 'atomic_launch' }];
  const { components } = parts.graphBundle;
  return [
    ...components.map(({ componentId }, ordinal) => ({
      stepId: `deploy-${componentId}`,
      ordinal,
      kind: 'deploy_component' as const,
    })),
    { stepId: 'register', ordinal: components.length, kind: 'register' },
  ];
}

/**
 * Returns every call that a permit allows, in the order in which the controller sends them: `launch` for a custom
 * launch; for a plan one `deployComponent` per component, then `register`.
 * @throws {EvmError} as `encodeRouterV1Calldata`.
 */
export function launchV1Calls(
  parts: LaunchPartsV1,
  context: ContextPartsV1,
  { permit, signature }: { readonly permit: LaunchPermitV1; readonly signature: Hex },
): readonly WalletCall[] {
  const to = routerV1Of(context).router;
  const call = launchV1CallOf(parts);
  const { value } = permit;
  const signed = { permit, signature };
  if (parts.mode === undefined)
    return [{ to, value, data: encodeRouterV1Calldata({ entryPoint: 'launch', call, ...signed }) }];
  return [
    ...componentStepsOf(call).map((step) => ({
      to,
      value: 0n,
      data: encodeRouterV1Calldata({ entryPoint: 'deployComponent', step, ...signed }),
    })),
    { to, value, data: encodeRouterV1Calldata({ entryPoint: 'register', call: registerCallOf(call), ...signed }) },
  ];
}

/** Returns the steps of a signed plan with their exact calls. @throws {EvmError} as `launchV1Calls`. */
export function signedPlanSteps(
  parts: LaunchPartsV1 & { readonly mode: PlanMode },
  context: ContextPartsV1,
  signed: { readonly permit: LaunchPermitV1; readonly signature: Hex },
): readonly PlanStep[] {
  const calls = launchV1Calls(parts, context, signed);
  if (parts.mode === 'atomic') {
    const digest = atomicDigest(permitV1Digest(routerV1Of(context), signed.permit), calls);
    return [{ stepId: 'atomic-launch', ordinal: 0, kind: 'atomic_launch', dependsOn: [], calls, digest }];
  }
  const steps = planStepsOf(parts);
  return steps.map(({ stepId, ordinal, kind }) => ({
    stepId,
    ordinal,
    kind: kind as 'deploy_component' | 'register',
    dependsOn: ordinal === 0 ? [] : [steps[ordinal - 1]!.stepId],
    call: calls[ordinal]!,
  }));
}

/** Converts a permit to the form that services exchange: decimal strings for integers. */
export const permitV1ToWire = (permit: LaunchPermitV1): PermitFieldsV1 => ({ ...permit, ...permitToWire(permit) });

/** Converts a permit back from its wire form; the inverse of `permitV1ToWire`. */
export const permitV1FromWire = (fields: PermitFieldsV1): LaunchPermitV1 => ({
  ...permitFromWire(fields),
  profile: fields.profile,
  mode: fields.mode,
  stepsHash: fields.stepsHash,
});
