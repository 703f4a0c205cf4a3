import type { Hex } from '../encoding/hex.js';
import { lowerHex } from '../encoding/hex.js';
import { predictedAddress } from '../create2/contract-address.js';
import { poolId } from '../launch-call/launch-hashes.js';
import { LAUNCH_ROLES, type RouterIdentity } from '../launch-call/launch.types.js';
import { permitV1Digest } from '../permit/launch-permit.js';
import { compareStamp, type GetterDeviation, type StampResult } from '../stamp/stamp-events.js';
import { stampLogs, type ReceiptLog } from '../stamp/stamp-log.js';
import { ROUTER_V1_ABI } from './router-v1.abi.js';
import { componentSetHash, onchainLaunchIdV1, stampHash } from './router-v1.hashes.js';
import {
  COMPONENT_KINDS,
  LAUNCH_KINDS,
  type ComponentKind,
  type LaunchPermitV1,
  type RegisterCall,
  type StampFields,
  type StampedComponent,
} from './router-v1.types.js';

/** Router V1's events of one launch, decoded; values as on the wire except integers, addresses lowercase. */
export type StampEventV1 =
  | {
      readonly event: 'ServiceLaunchRouteStampedV1';
      readonly fields: Readonly<
        Record<'launchId' | 'kind' | 'routePayloadHash' | 'componentSetHash' | 'permitDigest', string>
      >;
    }
  | {
      readonly event: 'ServiceComponentStampedV1';
      readonly fields: Readonly<Record<'launchId' | 'component' | 'kind' | 'runtimeCodeHash', string>>;
    }
  | {
      readonly event: 'ServiceLaunchStampedV1';
      readonly fields: Readonly<Record<'launchId' | 'token' | 'hook' | 'poolManager' | 'poolId' | 'stampHash', string>>;
    };

const V1_LOGS = stampLogs<StampEventV1>(ROUTER_V1_ABI, (name) => /^Service\w+StampedV1$/.test(name));

/**
 * Decodes one log of router V1. Returns `null` unless it is exactly one of the three stamp events, canonically encoded.
 */
export const decodeStampLogV1 = V1_LOGS.decode;
export const encodeStampLogV1 = V1_LOGS.encode;

/** Everything that a launch through router V1 must leave on chain, computed from the signed values. */
export interface ExpectedStampV1 {
  readonly launchId: Hex;
  readonly permitDigest: Hex;
  readonly stamp: StampFields;
  readonly stampHash: Hex;
  /** Components in graph order, then children. Externals belong to no launch and are not stamped. */
  readonly components: readonly StampedComponent[];
  readonly events: readonly StampEventV1[];
}

/** Router V1 with the PoolManager that it was deployed for. */
export interface RouterV1Identity extends RouterIdentity {
  readonly poolManager: Hex;
}

/**
 * Computes the stamp of a launch or plan: route, components, launch, in that order.
 * @param call the registration; for a single launch the `registerCallOf` its call.
 * @throws {EvmError} for values that the ABI types cannot hold.
 */
export function expectedStampV1(
  identity: RouterV1Identity,
  call: RegisterCall,
  permit: LaunchPermitV1,
): ExpectedStampV1 {
  const launchId = onchainLaunchIdV1(identity, permit.controller, permit.nonce);
  const permitDigest = permitV1Digest(identity, permit);
  const components = stampedComponents(identity, call);
  const own = components.slice(0, call.components.length);
  const stamp: StampFields = {
    kind: LAUNCH_KINDS.customGraph,
    token: withKind(own, COMPONENT_KINDS.token),
    hook: withKind(own, COMPONENT_KINDS.hook),
    poolManager: lowerHex(identity.poolManager),
    poolId: poolId(call.poolKey),
    routeLauncher: lowerHex(permit.controller),
    routePayloadHash: lowerHex(permit.callHash),
    componentSetHash: componentSetHash(components),
  };
  const hash = stampHash(launchId, identity, stamp);
  const { token, hook, poolManager, poolId: pool } = stamp;
  return {
    launchId,
    permitDigest,
    stamp,
    stampHash: hash,
    components,
    events: [
      {
        event: 'ServiceLaunchRouteStampedV1',
        fields: {
          launchId,
          kind: String(stamp.kind),
          routePayloadHash: stamp.routePayloadHash,
          componentSetHash: stamp.componentSetHash,
          permitDigest,
        },
      },
      ...components.map(({ account, kind, runtimeCodeHash }): StampEventV1 => ({
        event: 'ServiceComponentStampedV1',
        fields: { launchId, component: account, kind: String(kind), runtimeCodeHash },
      })),
      {
        event: 'ServiceLaunchStampedV1',
        fields: { launchId, token, hook, poolManager, poolId: pool, stampHash: hash },
      },
    ],
  };
}

/** Returns the first matching kind of several roles, in the router's order: token, hook, initializer, vault, module. */
export function componentKindOf(roleMask: number): ComponentKind {
  const kinds: readonly [number, ComponentKind][] = [
    [LAUNCH_ROLES.token, COMPONENT_KINDS.token],
    [LAUNCH_ROLES.hook, COMPONENT_KINDS.hook],
    [LAUNCH_ROLES.initializer, COMPONENT_KINDS.initializer],
    [LAUNCH_ROLES.feeVault, COMPONENT_KINDS.vault],
    [LAUNCH_ROLES.module, COMPONENT_KINDS.module],
  ];
  return kinds.find(([role]) => (roleMask & role) !== 0)?.[1] ?? COMPONENT_KINDS.other;
}

function stampedComponents(identity: RouterIdentity, call: RegisterCall): StampedComponent[] {
  const stamped = (account: Hex, roleMask: number, runtimeCodeHash: Hex): StampedComponent => ({
    account: lowerHex(account),
    kind: componentKindOf(roleMask),
    runtimeCodeHash: lowerHex(runtimeCodeHash),
  });
  return [
    ...call.components.map(({ roleMask, salt, initCodeHash, runtimeCodeHash }) =>
      stamped(predictedAddress({ deployer: identity.router, salt, initCodeHash }), roleMask, runtimeCodeHash),
    ),
    ...call.children.map(({ account, roleMask, runtimeCodeHash }) => stamped(account, roleMask, runtimeCodeHash)),
  ];
}

const withKind = (components: readonly StampedComponent[], kind: ComponentKind): Hex =>
  components.find((component) => component.kind === kind)?.account ?? '0x0000000000000000000000000000000000000000';

/**
 * Compares router V1's logs of one launch with the stamp that it must leave: exactly these events, in exactly this
 * order, with every field equal. A batch may contain more than the launch, so other logs of the router that do not name
 * this launch are ignored.
 */
export function compareStampV1(router: Hex, logs: readonly ReceiptLog[], expected: ExpectedStampV1): StampResult {
  const ofLaunch = logs.filter(({ topics }) => topics[1]?.toLowerCase() === expected.launchId);
  return compareStamp(router, ofLaunch, expected, decodeStampLogV1);
}

/** The answers of router V1's getters about a launch, read by an observer at one block. */
export interface ObservedGettersV1 {
  readonly nonceUsed: boolean;
  readonly permitUsed: boolean;
  readonly launchStamp: StampFields & { readonly stampHash: Hex };
  readonly stampProof: Hex;
  readonly launchIdByToken: Hex;
  readonly launchIdByPool: Hex;
  /** One entry for each of `expected.components`, in that order. */
  readonly components: readonly { readonly launchIdByComponent: Hex; readonly componentRuntimeCodeHash: Hex }[];
}

/** Compares the answers of the getters with the values that the launch must have stored. */
export function compareGettersV1(observed: ObservedGettersV1, expected: ExpectedStampV1): GetterDeviation[] {
  const deviations: GetterDeviation[] = [];
  const check = (getter: string, wanted: string, actual: string, index: number | null = null): void => {
    if (wanted.toLowerCase() !== actual.toLowerCase())
      deviations.push({ code: 'STAMP_GETTER_MISMATCH', getter, index, expected: wanted, actual });
  };
  check('nonceUsed', 'true', String(observed.nonceUsed));
  check('permitUsed', 'true', String(observed.permitUsed));
  for (const [field, wanted] of Object.entries({ ...expected.stamp, stampHash: expected.stampHash }))
    check(`launchStamp.${field}`, String(wanted), String(observed.launchStamp[field as keyof StampFields]));
  check('stampProof', expected.stampHash, observed.stampProof);
  check('launchIdByToken', expected.launchId, observed.launchIdByToken);
  check('launchIdByPool', expected.launchId, observed.launchIdByPool);
  check('components.length', String(expected.components.length), String(observed.components.length));
  expected.components.forEach(({ runtimeCodeHash }, index) => {
    const answer = observed.components[index];
    if (answer === undefined) return;
    check('launchIdByComponent', expected.launchId, answer.launchIdByComponent, index);
    check('componentRuntimeCodeHash', runtimeCodeHash, answer.componentRuntimeCodeHash, index);
  });
  return deviations;
}
