import type { CreateRequest } from '@launch/contracts';
import type { Hex } from '../encoding/hex.js';
import { encodeLaunchCalldata } from '../launch-call/launch-calldata.js';
import { launchCallOf, launchPermitOf, routerOf } from '../launch-request/launch-of-request.js';
import { permitDigest } from '../permit/launch-permit.js';
import { rehearsalAuthority } from './rehearsal-signature.js';
import { authorityWord, type RouterStorage } from './router-storage.js';

/** A launch's own transaction under a signature that is worth nothing on chain, and the state in which it counts. */
export interface LaunchRehearsal {
  readonly transaction: { readonly from: Hex; readonly to: Hex; readonly value: bigint; readonly data: Hex };
  /** By account, lowercase; balances in wei. */
  readonly overrides: Readonly<
    Record<Hex, { readonly balance?: bigint; readonly stateDiff?: Readonly<Record<Hex, Hex>> }>
  >;
}

/**
 * The rehearsal of a launch: the calldata of its launch with a constant signature. The address that recovers from it is
 * a permit authority there. The controller's balance is the value, so that missing funds say nothing of the launch.
 * @param hashes what the permit will name: the request's hash and that of its recognised economics.
 */
export function rehearsalOf(
  request: CreateRequest,
  hashes: { readonly requestHash: Hex; readonly economicsHash: Hex },
  storage: RouterStorage,
): LaunchRehearsal {
  const identity = routerOf(request.context);
  const permit = launchPermitOf(request, hashes);
  const { signature, signer } = rehearsalAuthority(permitDigest(identity, permit));
  const { slot, word } = authorityWord(storage, signer);
  return {
    transaction: {
      from: permit.controller,
      to: identity.router,
      value: permit.value,
      data: encodeLaunchCalldata({ call: launchCallOf(request), permit, signature }),
    },
    overrides: { [permit.controller]: { balance: permit.value }, [identity.router]: { stateDiff: { [slot]: word } } },
  };
}
