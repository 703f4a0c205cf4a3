import { keccak256, toBytes } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import type { LaunchCall, LaunchChild, LaunchComponent, LaunchPermit } from '../launch-call/launch.types.js';

/** `PROTOCOL()` of router V1: the protocol's name in its launch ids. */
export const ROUTER_V1_PROTOCOL: Hex = keccak256(toBytes('service-launch-stamp-router-v1'));

/** The modes of a permit: everything in one call, or a plan of one call per component and a registration. */
export const LAUNCH_MODES = Object.freeze({ single: 0, sequential: 1, atomic: 2 });

export type LaunchMode = (typeof LAUNCH_MODES)[keyof typeof LAUNCH_MODES];

/**
 * The `profile` of a permit: keccak-256 of the profile's schema version. The router allows a launch without a buy for
 * 4.0 only.
 */
export const PROFILE_WORDS = Object.freeze({
  '4.0': keccak256(toBytes('service.custom-launch-profile.v4.0')),
  '4.1': keccak256(toBytes('service.custom-launch-profile.v4.1')),
});

/** `LaunchKindV1` as in the route event and the stamp. */
export const LAUNCH_KINDS = Object.freeze({ customGraph: 1, foundationGraph: 2 });

/** `ComponentKindV1` as in a component's event. */
export const COMPONENT_KINDS = Object.freeze({ other: 0, token: 1, hook: 2, initializer: 3, vault: 4, module: 5 });

export type ComponentKind = (typeof COMPONENT_KINDS)[keyof typeof COMPONENT_KINDS];

/**
 * The message that an authority signs for router V1, in EIP-712 order. `callHash` is the hash of the `LaunchCall` in
 * mode single and of the `RegisterCall` of a plan; `value` is the value of the one transaction that buys.
 */
export interface LaunchPermitV1 extends LaunchPermit {
  readonly profile: Hex;
  readonly mode: number;
  readonly stepsHash: Hex;
}

/** A component whose creation code an earlier step carried. */
export interface RegisteredComponent {
  readonly roleMask: number;
  readonly salt: Hex;
  readonly initCodeHash: Hex;
  readonly runtimeCodeHash: Hex;
}

/** A plan's last call: `LaunchCall` with creation codes as hashes. */
export type RegisterCall = Omit<LaunchCall, 'components'> & { readonly components: readonly RegisteredComponent[] };

/** One deploy step of a plan; `ordinal` counts components and steps from 0. */
export interface ComponentStep {
  readonly ordinal: number;
  readonly component: LaunchComponent;
  readonly componentHashes: readonly Hex[];
  readonly children: readonly LaunchChild[];
  readonly externalHashes: readonly Hex[];
}

/** An account as router V1 stamps it. */
export interface StampedComponent {
  readonly account: Hex;
  readonly kind: number;
  readonly runtimeCodeHash: Hex;
}

/** The answer of `launchStamp(launchId)` without its last word, the hash over these fields. */
export interface StampFields {
  readonly kind: number;
  readonly token: Hex;
  readonly hook: Hex;
  readonly poolManager: Hex;
  readonly poolId: Hex;
  readonly routeLauncher: Hex;
  readonly routePayloadHash: Hex;
  readonly componentSetHash: Hex;
}

/** One call of a wallet's batch (EIP-5792). Value in wei. */
export interface WalletCall {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
}
