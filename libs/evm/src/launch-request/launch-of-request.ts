import { CHAIN_ID, type CreateRequest } from '@launch/contracts';
import type { PermitFields } from '@launch/contracts/orchestration';
import type { Hex } from '../encoding/hex.js';
import {
  artifactHashOf,
  callHash,
  graphHash,
  initCodeOf,
  onchainLaunchId,
  poolHash,
} from '../launch-call/launch-hashes.js';
import type { LaunchCall, LaunchPermit, RouterIdentity } from '../launch-call/launch.types.js';

/** The parts of a request that decide the launch; a pack config has them too. */
export type LaunchParts = Pick<
  CreateRequest,
  'context' | 'launchWallet' | 'nonce' | 'graphBundle' | 'externalContracts' | 'fundingPlan' | 'liquidityModel'
>;

/** The router every launch of this context goes through. */
export const routerOf = (context: CreateRequest['context']): RouterIdentity => ({
  chainId: BigInt(CHAIN_ID),
  router: context.chainDeployment.router.address as Hex,
});

/** The one call a request describes, in the router's ABI order. */
export function launchCallOf(parts: LaunchParts): LaunchCall {
  const { components, children, officialPool } = parts.graphBundle;
  return {
    components: components.map((component) => ({
      roleMask: component.roleMask,
      salt: component.salt as Hex,
      initCode: initCodeOf(component.creationBytecode as Hex, component.constructorArgs as Hex),
      runtimeCodeHash: component.expectedRuntimeCodeHash as Hex,
    })),
    children: children.map((child) => ({
      ...child,
      account: child.account as Hex,
      runtimeCodeHash: child.runtimeCodeHash as Hex,
    })),
    externals: parts.externalContracts.map((external) => ({
      ...external,
      account: external.account as Hex,
      runtimeCodeHash: external.runtimeCodeHash as Hex,
    })),
    poolKey: {
      currency0: officialPool.poolKey.currency0 as Hex,
      currency1: officialPool.poolKey.currency1 as Hex,
      fee: officialPool.poolKey.fee,
      tickSpacing: officialPool.poolKey.tickSpacing,
      hooks: officialPool.poolKey.hooks as Hex,
    },
    sqrtPriceX96: BigInt(officialPool.sqrtPriceX96),
    liquidity: BigInt(parts.liquidityModel.liquidity),
    nativeLiquidityWei: BigInt(parts.fundingPlan.nativeLiquidityWei),
    initialBuyWei: BigInt(parts.fundingPlan.initialBuyWei),
    minimumTokensOut: BigInt(parts.fundingPlan.minimumTokensOut),
  };
}

export interface LaunchCommitments {
  readonly graphHash: Hex;
  readonly poolHash: Hex;
  readonly callHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
}

/** Every hash of a launch that is known before anything is signed. */
export function launchCommitments(parts: LaunchParts): LaunchCommitments {
  const call = launchCallOf(parts);
  const hashes = { graphHash: graphHash(call), poolHash: poolHash(call), callHash: callHash(call) };
  return {
    ...hashes,
    artifactHash: artifactHashOf(hashes),
    onchainLaunchId: onchainLaunchId(routerOf(parts.context), parts.launchWallet as Hex, BigInt(parts.nonce)),
  };
}

/**
 * The permit for a request: nothing in it comes from unsigned input. `value` is
 * `initialBuyWei + nativeLiquidityWei` and nothing else.
 */
export function launchPermitOf(
  request: CreateRequest,
  hashes: { readonly requestHash: string; readonly economicsHash: string },
): LaunchPermit {
  const call = launchCallOf(request);
  return {
    controller: request.launchWallet as Hex,
    requestHash: hashes.requestHash as Hex,
    contextHash: request.contextCommitments.contextHash as Hex,
    economicsHash: hashes.economicsHash as Hex,
    instructionPolicyHash: request.contextCommitments.instructionPolicyHash as Hex,
    graphHash: graphHash(call),
    poolHash: poolHash(call),
    callHash: callHash(call),
    value: call.initialBuyWei + call.nativeLiquidityWei,
    nonce: BigInt(request.nonce),
    validAfter: BigInt(request.permitWindow.validAfter),
    deadline: BigInt(request.permitWindow.deadline),
  };
}

/** The permit as services hand it to each other: decimal strings for integers. */
export const permitToWire = (permit: LaunchPermit): PermitFields => ({
  ...permit,
  value: permit.value.toString(),
  nonce: permit.nonce.toString(),
  validAfter: permit.validAfter.toString(),
  deadline: permit.deadline.toString(),
});

/** The inverse of `permitToWire`. */
export const permitFromWire = (fields: PermitFields): LaunchPermit => ({
  controller: fields.controller as Hex,
  requestHash: fields.requestHash as Hex,
  contextHash: fields.contextHash as Hex,
  economicsHash: fields.economicsHash as Hex,
  instructionPolicyHash: fields.instructionPolicyHash as Hex,
  graphHash: fields.graphHash as Hex,
  poolHash: fields.poolHash as Hex,
  callHash: fields.callHash as Hex,
  value: BigInt(fields.value),
  nonce: BigInt(fields.nonce),
  validAfter: BigInt(fields.validAfter),
  deadline: BigInt(fields.deadline),
});
