import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Hex } from '../encoding/hex.js';
import { encodeLaunchCalldata } from '../launch-call/launch-calldata.js';
import type { RouterIdentity } from '../launch-call/launch.types.js';
import { launchCallOf, launchPermitOf, routerOf } from '../launch-request/launch-of-request.js';
import {
  launchPermitV1Of,
  launchV1Calls,
  routerV1Of,
  type ContextPartsV1,
  type LaunchPartsV1,
} from '../launch-request/launch-v1-of-request.js';
import { permitDigest, permitV1Digest } from '../permit/launch-permit.js';
import { rehearsalAuthority } from './rehearsal-signature.js';
import { authorityWord, type RouterStorage } from './router-storage.js';

/** A transaction that cannot be sent, and its sender. Value in wei. */
export interface RehearsedTransaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
}

/** State overrides under which a rehearsal's signature counts, by lowercase account; balances in wei. */
export type RehearsalOverrides = Readonly<
  Record<Hex, { readonly balance?: bigint; readonly stateDiff?: Readonly<Record<Hex, Hex>> }>
>;

/** A launch's own transaction under a signature without value on chain, and the state in which it counts. */
export interface LaunchRehearsal {
  readonly transaction: RehearsedTransaction;
  readonly overrides: RehearsalOverrides;
}

/** The same for a launch through router V1: one transaction, or those of a plan, consecutively in one block. */
export interface LaunchRehearsalV1 {
  readonly transactions: readonly RehearsedTransaction[];
  readonly overrides: RehearsalOverrides;
}

/** The hashes of the request and of its recognised economics that the permit will contain. */
export interface RehearsedHashes {
  readonly requestHash: Hex;
  readonly economicsHash: Hex;
}

/**
 * Builds the rehearsal of a launch: its calldata with a constant signature. The state makes the address that recovers
 * from it a permit authority and gives the controller the value as its balance, so that missing funds do not affect the
 * result.
 * @param hashes the values in the permit: the hash of the request and that of its recognised economics.
 */
export function rehearsalOf(request: CreateRequest, hashes: RehearsedHashes, storage: RouterStorage): LaunchRehearsal {
  const identity = routerOf(request.context);
  const permit = launchPermitOf(request, hashes);
  const { signature, overrides } = rehearsed(identity, permit, permitDigest(identity, permit), storage);
  return {
    transaction: {
      from: permit.controller,
      to: identity.router,
      value: permit.value,
      data: encodeLaunchCalldata({ call: launchCallOf(request), permit, signature }),
    },
    overrides,
  };
}

/**
 * Builds the same for a custom launch, or for every call of a plan in order: a batch, or steps without transactions
 * between them.
 */
export function launchV1RehearsalOf(
  parts: LaunchPartsV1,
  context: ContextPartsV1,
  hashes: RehearsedHashes,
  storage: RouterStorage,
): LaunchRehearsalV1 {
  const identity = routerV1Of(context);
  const permit = launchPermitV1Of(parts, context, hashes);
  const { signature, overrides } = rehearsed(identity, permit, permitV1Digest(identity, permit), storage);
  return {
    transactions: launchV1Calls(parts, context, { permit, signature }).map((call) => ({
      from: permit.controller,
      ...call,
    })),
    overrides,
  };
}

function rehearsed(
  { router }: RouterIdentity,
  permit: { readonly controller: Hex; readonly value: bigint },
  digest: Hex,
  storage: RouterStorage,
): { readonly signature: Hex; readonly overrides: RehearsalOverrides } {
  const { signature, signer } = rehearsalAuthority(digest);
  const { slot, word } = authorityWord(storage, signer);
  return {
    signature,
    overrides: { [permit.controller]: { balance: permit.value }, [router]: { stateDiff: { [slot]: word } } },
  };
}
