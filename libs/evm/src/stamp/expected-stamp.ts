import type { Hex } from '../encoding/hex.js';
import { predictedAddress } from '../create2/contract-address.js';
import { componentProof, onchainLaunchId, poolId, stampProof } from '../launch-call/launch-hashes.js';
import {
  LAUNCH_ROLES,
  LAUNCH_SCOPES,
  type LaunchCall,
  type LaunchPermit,
  type LaunchScope,
  type RouterIdentity,
} from '../launch-call/launch.types.js';
import { permitDigest } from '../permit/launch-permit.js';
import type { StampEvent } from './launch-stamp.js';

/** An account of a launch as the router stamps it; `proof` is the value of `componentProof` for it. */
export interface StampedAccount {
  readonly account: Hex;
  readonly roleMask: number;
  readonly runtimeCodeHash: Hex;
  readonly scope: LaunchScope;
  readonly resultIndex: number;
  readonly proof: Hex;
}

/** Everything that a launch must leave on chain, computed from the signed values. */
export interface ExpectedStamp {
  readonly launchId: Hex;
  readonly token: Hex;
  readonly hook: Hex;
  readonly poolId: Hex;
  readonly permitDigest: Hex;
  readonly stampProof: Hex;
  readonly accounts: readonly StampedAccount[];
  readonly events: readonly StampEvent[];
}

/**
 * Computes the stamp of a launch: permit consumed, route, components, children, externals, launch, in that order.
 * `resultIndex` counts within each list. The result also contains the answer of every getter afterwards.
 *
 * The token and the hook are the components with those role bits. They are the zero address if a call has none, which
 * no router accepts.
 *
 * @throws {EvmError} for values that the ABI types cannot hold.
 */
export function expectedStamp(identity: RouterIdentity, call: LaunchCall, permit: LaunchPermit): ExpectedStamp {
  const launchId = onchainLaunchId(identity, permit.controller, permit.nonce);
  const accounts = stampedAccounts(identity, call);
  const components = accounts.filter(({ scope }) => scope === LAUNCH_SCOPES.component);
  const token = withRole(components, LAUNCH_ROLES.token);
  const hook = withRole(components, LAUNCH_ROLES.hook);
  const pool = poolId(call.poolKey);
  const digest = permitDigest(identity, permit);
  const { contextHash, requestHash, economicsHash, instructionPolicyHash, graphHash, controller } = permit;
  return {
    launchId,
    token,
    hook,
    poolId: pool,
    permitDigest: digest,
    stampProof: stampProof(launchId, permit),
    accounts,
    events: [
      {
        event: 'MultiRolePermitConsumedV2',
        fields: { permitDigest: digest, controller: lower(controller), nonce: String(permit.nonce) },
      },
      {
        event: 'MultiRoleRouteStampedV2',
        fields: {
          launchId,
          contextHash: lower(contextHash),
          requestHash: lower(requestHash),
          economicsHash: lower(economicsHash),
          instructionPolicyHash: lower(instructionPolicyHash),
        },
      },
      ...accounts.map((entry): StampEvent => ({
        event: 'MultiRoleComponentStampedV2',
        fields: {
          launchId,
          component: entry.account,
          roleMask: String(entry.roleMask),
          runtimeCodeHash: entry.runtimeCodeHash,
          scope: String(entry.scope),
          resultIndex: String(entry.resultIndex),
        },
      })),
      {
        event: 'MultiRoleLaunchStampedV2',
        fields: { launchId, token, hook, controller: lower(controller), poolId: pool, graphHash: lower(graphHash) },
      },
    ],
  };
}

function stampedAccounts(identity: RouterIdentity, call: LaunchCall): StampedAccount[] {
  const stamped =
    (scope: LaunchScope) => (entry: { account: Hex; roleMask: number; runtimeCodeHash: Hex }, resultIndex: number) => ({
      account: lower(entry.account),
      roleMask: entry.roleMask,
      runtimeCodeHash: lower(entry.runtimeCodeHash),
      scope,
      resultIndex,
      proof: componentProof(entry.roleMask, entry.runtimeCodeHash, scope, resultIndex),
    });
  const components = call.components.map((component) => ({
    ...component,
    account: predictedAddress({ deployer: identity.router, salt: component.salt, initCode: component.initCode }),
  }));
  return [
    ...components.map(stamped(LAUNCH_SCOPES.component)),
    ...call.children.map(stamped(LAUNCH_SCOPES.child)),
    ...call.externals.map(stamped(LAUNCH_SCOPES.external)),
  ];
}

function withRole(accounts: readonly StampedAccount[], role: number): Hex {
  return (
    accounts.find(({ roleMask }) => (roleMask & role) !== 0)?.account ?? '0x0000000000000000000000000000000000000000'
  );
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex;
}
