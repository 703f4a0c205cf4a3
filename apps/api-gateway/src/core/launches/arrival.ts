import { finding, type Finding } from '@launch/contracts/errors';
import { ApiError } from '@launch/http';
import type { Hex } from '@launch/contracts/primitives';
import type { LaunchChain, WindowClocks } from '../chain/launch-chain.js';
import type { LaunchRepository } from './launch.repository.js';

/** Returns the times that may fail a permit window: none while the server's own clock is in doubt. */
export function windowSeconds(clocks: WindowClocks, nowMs: number): readonly number[] {
  if (clocks.kind === 'in-step') return clocks.seconds;
  return clocks.kind === 'unusable' ? [Math.floor(nowMs / 1_000)] : [];
}

export type NonceState = 'free' | 'in-use' | 'unknown';

/** The records of used nonces: the gateway's own rows and the router. */
export interface NonceSources {
  readonly launches: Pick<LaunchRepository, 'isNonceReserved'>;
  readonly chain: Pick<LaunchChain, 'nonceUsed'>;
}

/** Reports whether the database or the chain knows the controller's nonce. */
export async function nonceStateOf(
  { launches, chain }: NonceSources,
  router: Hex,
  { launchWallet, nonce }: { readonly launchWallet: Hex; readonly nonce: string },
): Promise<NonceState> {
  const [isReserved, isUsed] = await Promise.all([
    launches.isNonceReserved(router, launchWallet, nonce),
    chain.nonceUsed(router, launchWallet, BigInt(nonce)),
  ]);
  if (isReserved || isUsed === true) return 'in-use';
  return isUsed === null ? 'unknown' : 'free';
}

/** Makes the finding for a nonce that another launch of the controller holds. */
export const nonceFinding = ({ nonce }: { readonly nonce: string }): Finding =>
  finding('NONCE_IN_USE', '/nonce', {
    actual: nonce,
    detail: 'Choose a nonce this controller never used and no open request holds.',
  });

/** Makes the error for a request without a fault that the chain cannot judge now. */
export const undecided = (why: string, retryAfterSeconds = 2): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds, cause: new Error(why) });

/** @throws ApiError 503 while clocks or observers leave the window or the nonce of a request without a fault open. */
export function ensureDecided(clocks: WindowClocks, nonce: NonceState, clocksRetryAfterSeconds?: number): void {
  if (clocks.kind !== 'in-step') throw undecided(`windows cannot be judged: ${clocks.reason}`, clocksRetryAfterSeconds);
  if (nonce === 'unknown') throw undecided('the observers do not agree on nonceUsed');
}
