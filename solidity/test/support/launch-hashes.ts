/** Every hash of a launch, written down from the protocol and not from the contract's ABI, so that each checks the other. */
import { concat, encodeAbiParameters, hashTypedData, keccak256, parseAbiParameters, stringToHex } from 'viem';
import type { Address, Hex } from 'viem';

export interface LaunchComponent {
  roleMask: number;
  salt: Hex;
  initCode: Hex;
  runtimeCodeHash: Hex;
}
export interface LaunchChild {
  parentIndex: number;
  roleMask: number;
  account: Address;
  runtimeCodeHash: Hex;
}
export interface LaunchExternal {
  roleMask: number;
  account: Address;
  runtimeCodeHash: Hex;
}
export interface PoolKey {
  currency0: Address;
  currency1: Address;
  fee: number;
  tickSpacing: number;
  hooks: Address;
}

export interface LaunchCall {
  components: LaunchComponent[];
  children: LaunchChild[];
  externals: LaunchExternal[];
  poolKey: PoolKey;
  sqrtPriceX96: bigint;
  liquidity: bigint;
  nativeLiquidityWei: bigint;
  initialBuyWei: bigint;
  minimumTokensOut: bigint;
}

export interface LaunchPermit {
  controller: Address;
  requestHash: Hex;
  contextHash: Hex;
  economicsHash: Hex;
  instructionPolicyHash: Hex;
  graphHash: Hex;
  poolHash: Hex;
  callHash: Hex;
  value: bigint;
  nonce: bigint;
  validAfter: bigint;
  deadline: bigint;
}

export const protocol = keccak256(stringToHex('service.multi-role-launch-stamp-router.v2'));

const component = parseAbiParameters('uint32 roleMask, bytes32 salt, bytes32 initCodeHash, bytes32 runtimeCodeHash');
const child = parseAbiParameters('uint16 parentIndex, uint32 roleMask, address account, bytes32 runtimeCodeHash');
const external = parseAbiParameters('uint32 roleMask, address account, bytes32 runtimeCodeHash');
const graph = parseAbiParameters('bytes32[] components, bytes32[] children, bytes32[] externals');
const poolKey =
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }';
const pool = parseAbiParameters(['PoolKey poolKey, uint160 sqrtPriceX96', poolKey]);
const artifactParts = parseAbiParameters('bytes32 graphHash, bytes32 poolHash, bytes32 callHash');
const launchIdParts = parseAbiParameters(
  'bytes32 protocol, uint256 chainId, address router, address controller, uint256 nonce',
);
const call = parseAbiParameters([
  'LaunchCall call',
  'struct Component { uint32 roleMask; bytes32 salt; bytes initCode; bytes32 runtimeCodeHash; }',
  'struct Child { uint16 parentIndex; uint32 roleMask; address account; bytes32 runtimeCodeHash; }',
  'struct External { uint32 roleMask; address account; bytes32 runtimeCodeHash; }',
  poolKey,
  'struct LaunchCall { Component[] components; Child[] children; External[] externals; PoolKey poolKey; uint160 sqrtPriceX96; uint128 liquidity; uint256 nativeLiquidityWei; uint256 initialBuyWei; uint256 minimumTokensOut; }',
]);
const stampProofParts = parseAbiParameters(
  'bytes32 launchId, address controller, bytes32 requestHash, bytes32 contextHash, bytes32 economicsHash, bytes32 instructionPolicyHash, bytes32 graphHash, bytes32 poolHash, bytes32 callHash, uint256 value, uint256 nonce, uint64 validAfter, uint64 deadline',
);
const componentProofParts = parseAbiParameters(
  'uint32 roleMask, bytes32 runtimeCodeHash, uint8 scope, uint16 resultIndex',
);
const poolKeyParts = parseAbiParameters(['PoolKey poolKey', poolKey]);

export const hashComponent = (c: LaunchComponent): Hex =>
  keccak256(encodeAbiParameters(component, [c.roleMask, c.salt, keccak256(c.initCode), c.runtimeCodeHash]));
export const hashChild = (c: LaunchChild): Hex =>
  keccak256(encodeAbiParameters(child, [c.parentIndex, c.roleMask, c.account, c.runtimeCodeHash]));
export const hashExternal = (e: LaunchExternal): Hex =>
  keccak256(encodeAbiParameters(external, [e.roleMask, e.account, e.runtimeCodeHash]));

/** All hashes that follow from the call alone. */
export function hashCall(c: LaunchCall) {
  const componentHashes = c.components.map(hashComponent);
  const childHashes = c.children.map(hashChild);
  const externalHashes = c.externals.map(hashExternal);
  const graphHash = keccak256(encodeAbiParameters(graph, [componentHashes, childHashes, externalHashes]));
  const poolHash = keccak256(encodeAbiParameters(pool, [c.poolKey, c.sqrtPriceX96]));
  const callHash = keccak256(encodeAbiParameters(call, [c]));
  const artifactHash = keccak256(encodeAbiParameters(artifactParts, [graphHash, poolHash, callHash]));
  return { componentHashes, childHashes, externalHashes, graphHash, poolHash, callHash, artifactHash };
}

export const hashLaunchId = (chainId: bigint, router: Address, controller: Address, nonce: bigint): Hex =>
  keccak256(encodeAbiParameters(launchIdParts, [protocol, chainId, router, controller, nonce]));

export const hashPoolKey = (key: PoolKey): Hex => keccak256(encodeAbiParameters(poolKeyParts, [key]));

const permitFields = {
  LaunchPermit: [
    { name: 'controller', type: 'address' },
    { name: 'requestHash', type: 'bytes32' },
    { name: 'contextHash', type: 'bytes32' },
    { name: 'economicsHash', type: 'bytes32' },
    { name: 'instructionPolicyHash', type: 'bytes32' },
    { name: 'graphHash', type: 'bytes32' },
    { name: 'poolHash', type: 'bytes32' },
    { name: 'callHash', type: 'bytes32' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'validAfter', type: 'uint64' },
    { name: 'deadline', type: 'uint64' },
  ],
} as const;

/** EIP-712 typed data of a permit, as an authority signs it. */
export function permitTypedData(chainId: bigint, router: Address, permit: LaunchPermit) {
  return {
    domain: { name: 'Service Multi Role Launch Router', version: '2', chainId, verifyingContract: router },
    types: permitFields,
    primaryType: 'LaunchPermit' as const,
    message: permit,
  };
}

export const hashPermit = (chainId: bigint, router: Address, permit: LaunchPermit): Hex =>
  hashTypedData(permitTypedData(chainId, router, permit));

/** Returns the permit data that the router stores under the launch id. */
export const hashStamp = (launchId: Hex, p: LaunchPermit): Hex =>
  keccak256(
    encodeAbiParameters(stampProofParts, [
      launchId,
      p.controller,
      p.requestHash,
      p.contextHash,
      p.economicsHash,
      p.instructionPolicyHash,
      p.graphHash,
      p.poolHash,
      p.callHash,
      p.value,
      p.nonce,
      p.validAfter,
      p.deadline,
    ]),
  );

/** Returns the account data that the router stores under the launch id. */
export const hashComponentProof = (roleMask: number, runtimeCodeHash: Hex, scope: number, resultIndex: number): Hex =>
  keccak256(encodeAbiParameters(componentProofParts, [roleMask, runtimeCodeHash, scope, resultIndex]));

/** A salt's 32 bytes: the controller, then the free part. */
export const saltFor = (controller: Address, free: Hex): Hex => concat([controller, free]);
