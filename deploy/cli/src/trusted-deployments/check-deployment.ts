import type { ObserverPair } from '@launch/chain';
import type { AnyLaunchContext } from '@launch/contracts/launch';
import { pinContract } from '../observers.js';
import { DeployError } from '../deploy.error.js';
import { readRouter, type AuthorityInterval } from './read-router.js';

/**
 * Compares a context with the chain: the code of the router and the PoolManager, the PoolManager that the router uses, and each
 * permit authority. Returns the owner of the router, who may change the authorities.
 *
 * @param now in seconds since the epoch
 * @throws {DeployError} OBSERVERS_UNAVAILABLE, CODE_MISSING, CODE_DIFFERS, AUTHORITY_DIFFERS
 */
export async function checkDeployment(
  l2: ObserverPair,
  { chainDeployment: { router, poolManager }, chainBindings: { permitAuthorities } }: AnyLaunchContext,
  now: bigint,
): Promise<string> {
  for (const [name, pinned] of Object.entries({ router, poolManager })) {
    const { runtimeCodeHash } = await pinContract(l2, name, pinned.address);
    if (runtimeCodeHash !== pinned.runtimeCodeHash)
      throw differs(
        'CODE_DIFFERS',
        `${name}: the observers show code ${runtimeCodeHash} at ${pinned.address}, and the context names ${pinned.runtimeCodeHash}`,
      );
  }
  const state = await readRouter(l2, router.address, permitAuthorities);
  if (state.poolManager !== poolManager.address)
    throw differs(
      'CODE_DIFFERS',
      `poolManager: the router uses ${state.poolManager}, and the context names ${poolManager.address}`,
    );
  for (const [signer, interval] of state.authorities) {
    const fault = faultOf(interval, now);
    if (fault !== null) throw differs('AUTHORITY_DIFFERS', `permit authority ${signer}: ${fault}`);
  }
  return state.owner;
}

function faultOf({ validFrom, validUntil, isRevoked }: AuthorityInterval, now: bigint): string | null {
  if (isRevoked) return 'the router revoked it';
  if (validUntil === 0n) return 'the router does not know it';
  if (validUntil < now) return `the router takes its permits until second ${validUntil}, which is past`;
  // Starts later: the next key of a rotation is trusted before its first permit.
  return validFrom > validUntil ? 'the router takes its permits at no time' : null;
}

const differs = (code: 'AUTHORITY_DIFFERS' | 'CODE_DIFFERS', message: string): DeployError =>
  new DeployError(code, message, 'Write no file for this context: find out whether the context or the chain is wrong.');
