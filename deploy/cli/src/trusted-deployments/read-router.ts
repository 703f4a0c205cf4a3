import { agree, commonHead, readContract, type ObserverPair } from '@launch/chain';
import type { Hex } from '@launch/contracts/primitives';
import { ROUTER_V1_ABI } from '@launch/evm';
import { observersUnavailable } from '../observers.js';

/** The interval in which a router takes permits of a signer, in seconds since the epoch. Both are 0 for an unknown signer. */
export interface AuthorityInterval {
  readonly validFrom: bigint;
  readonly validUntil: bigint;
  readonly isRevoked: boolean;
}

/** The state of a router that decides about its permits, at one block. */
export interface RouterState {
  readonly poolManager: Hex;
  readonly owner: Hex;
  readonly authorities: ReadonlyMap<Hex, AuthorityInterval>;
}

/**
 * Reads a router from both observers. Router V1 and V2 have these getters alike.
 *
 * @throws {DeployError} OBSERVERS_UNAVAILABLE
 */
export async function readRouter(
  l2: ObserverPair,
  router: Hex,
  permitAuthorities: readonly Hex[],
): Promise<RouterState> {
  const head = await commonHead(l2);
  if (head.kind === 'indeterminate') throw observersUnavailable(`router: ${head.reason}`);
  const at = { hash: head.value.hash };
  const contract = { address: router, abi: ROUTER_V1_ABI };
  const state = await agree(l2, 'the state of the router', async (observer) => ({
    poolManager: await readContract(observer, contract, 'poolManager', [], at),
    owner: await readContract(observer, contract, 'owner', [], at),
    authorities: await Promise.all(
      permitAuthorities.map((signer) => readContract(observer, contract, 'authority', [signer], at)),
    ),
  }));
  if (state.kind === 'indeterminate') throw observersUnavailable(`router: ${state.reason}`);
  const { poolManager, owner, authorities } = state.value;
  return {
    poolManager: poolManager.toLowerCase() as Hex,
    owner: owner.toLowerCase() as Hex,
    authorities: new Map(
      permitAuthorities.map((signer, index) => {
        const [validFrom, validUntil, isRevoked] = authorities[index]!;
        return [signer, { validFrom, validUntil, isRevoked }];
      }),
    ),
  };
}
