import type { AnyLaunchContext, JudgedRequest } from '@launch/contracts/launch';
import type { CreateRequest } from '@launch/contracts/multi-role';
import type { PermitFields } from '@launch/contracts/orchestration';
import { CHAIN_ID } from '@launch/contracts/primitives';
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

/** The parts of a request that decide the launch; a pack config has the same parts. */
export type LaunchParts = Pick<
  JudgedRequest,
  'context' | 'launchWallet' | 'nonce' | 'graphBundle' | 'externalContracts' | 'fundingPlan' | 'liquidityModel'
>;

/** Returns the router of every launch under this context. */
export const routerOf = (context: Pick<AnyLaunchContext, 'chainDeployment'>): RouterIdentity => ({
  chainId: BigInt(CHAIN_ID),
  router: context.chainDeployment.router.address,
});

/** The graph and pool of a request, which every family describes in the same way. */
export type GraphParts = Pick<CreateRequest, 'graphBundle' | 'externalContracts' | 'liquidityModel'>;

/** The use of a launch's value in decimal wei; the minimum in raw units of the token. */
export type FirstBuyTerms = Pick<
  CreateRequest['fundingPlan'],
  'initialBuyWei' | 'minimumTokensOut' | 'nativeLiquidityWei'
>;

/** Returns the one call that a request describes, in the router's ABI order. */
export const launchCallOf = (parts: GraphParts & Pick<LaunchParts, 'fundingPlan'>): LaunchCall =>
  graphCallOf(parts, parts.fundingPlan);

/** Returns the call of a graph with these terms, in the routers' ABI order. */
export function graphCallOf(parts: GraphParts, buy: FirstBuyTerms): LaunchCall {
  const { components, children, officialPool } = parts.graphBundle;
  return {
    components: components.map((component) => ({
      roleMask: component.roleMask,
      salt: component.salt,
      initCode: initCodeOf(component.creationBytecode, component.constructorArgs),
      runtimeCodeHash: component.expectedRuntimeCodeHash,
    })),
    children: children.map((child) => ({
      ...child,
      account: child.account,
      runtimeCodeHash: child.runtimeCodeHash,
    })),
    externals: parts.externalContracts.map((external) => ({
      ...external,
      account: external.account,
      runtimeCodeHash: external.runtimeCodeHash,
    })),
    poolKey: {
      currency0: officialPool.poolKey.currency0,
      currency1: officialPool.poolKey.currency1,
      fee: officialPool.poolKey.fee,
      tickSpacing: officialPool.poolKey.tickSpacing,
      hooks: officialPool.poolKey.hooks,
    },
    sqrtPriceX96: BigInt(officialPool.sqrtPriceX96),
    liquidity: BigInt(parts.liquidityModel.liquidity),
    nativeLiquidityWei: BigInt(buy.nativeLiquidityWei),
    initialBuyWei: BigInt(buy.initialBuyWei),
    minimumTokensOut: BigInt(buy.minimumTokensOut),
  };
}

export interface LaunchCommitments {
  readonly graphHash: Hex;
  readonly poolHash: Hex;
  readonly callHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
}

/** Returns every hash of a launch that is known before any signature. */
export function launchCommitments(parts: LaunchParts): LaunchCommitments {
  const call = launchCallOf(parts);
  const hashes = { graphHash: graphHash(call), poolHash: poolHash(call), callHash: callHash(call) };
  return {
    ...hashes,
    artifactHash: artifactHashOf(hashes),
    onchainLaunchId: onchainLaunchId(routerOf(parts.context), parts.launchWallet, BigInt(parts.nonce)),
  };
}

/**
 * Builds the permit for a request. No field comes from unsigned input. `value` is exactly `initialBuyWei +
 * nativeLiquidityWei`.
 */
export function launchPermitOf(
  request: CreateRequest,
  hashes: { readonly requestHash: Hex; readonly economicsHash: Hex },
): LaunchPermit {
  const call = launchCallOf(request);
  return {
    controller: request.launchWallet,
    requestHash: hashes.requestHash,
    contextHash: request.contextCommitments.contextHash,
    economicsHash: hashes.economicsHash,
    instructionPolicyHash: request.contextCommitments.instructionPolicyHash,
    graphHash: graphHash(call),
    poolHash: poolHash(call),
    callHash: callHash(call),
    value: call.initialBuyWei + call.nativeLiquidityWei,
    nonce: BigInt(request.nonce),
    validAfter: BigInt(request.permitWindow.validAfter),
    deadline: BigInt(request.permitWindow.deadline),
  };
}

/** Converts a permit to the form that services exchange: decimal strings for integers. */
export const permitToWire = (permit: LaunchPermit): PermitFields => ({
  ...permit,
  value: permit.value.toString(),
  nonce: permit.nonce.toString(),
  validAfter: permit.validAfter.toString(),
  deadline: permit.deadline.toString(),
});

/** Converts a permit back from its wire form; the inverse of `permitToWire`. */
export const permitFromWire = (fields: PermitFields): LaunchPermit => ({
  controller: fields.controller,
  requestHash: fields.requestHash,
  contextHash: fields.contextHash,
  economicsHash: fields.economicsHash,
  instructionPolicyHash: fields.instructionPolicyHash,
  graphHash: fields.graphHash,
  poolHash: fields.poolHash,
  callHash: fields.callHash,
  value: BigInt(fields.value),
  nonce: BigInt(fields.nonce),
  validAfter: BigInt(fields.validAfter),
  deadline: BigInt(fields.deadline),
});
