import {
  balanceAgreed,
  nonceUsedAgreed,
  readGasCost,
  simulateAt,
  simulationPlace,
  type ObserverPair,
} from '@launch/chain';
import type { WalletReason } from '@launch/contracts/states';
import type { HandedOffCustomLaunch } from '../launch/handed-off.types.js';

/** The reported obstacle of a waiting hand-off. `unknown`: the observers make no statement, which changes nothing. */
export type WalletVerdict =
  | { readonly kind: 'known'; readonly reason: WalletReason | null }
  | { readonly kind: 'unknown' };

const UNKNOWN: WalletVerdict = { kind: 'unknown' };
const found = (reason: WalletReason): WalletVerdict => ({ kind: 'known', reason });

/**
 * Remaining seconds below which the obstacle is reported, because the transaction must be included before the deadline.
 */
const NEAR_SECONDS = 300n;

/** Milliseconds between two polls of a waiting hand-off, at first and after a long wait. */
const FIRST_PACE_MS = 15_000;
const LATER_PACE_MS = 60_000;
const LONG_MS = 120_000;

/** Returns the wait before the next poll of a hand-off that has waited this long, in milliseconds. */
export const walletPace = (waitedMs: number): number => (waitedMs < LONG_MS ? FIRST_PACE_MS : LATER_PACE_MS);

/** Reads whether the router has spent the permit's nonce; null while the observers make no statement. */
export async function isNonceSpent(l2: ObserverPair, { target }: HandedOffCustomLaunch): Promise<boolean | null> {
  const spent = await nonceUsedAgreed(l2, target.router, target.controller, target.nonce);
  return spent.kind === 'agreed' ? spent.value : null;
}

/**
 * Returns the first obstacle of the wallet that is to send a hand-off: the nonce, the funds, the gas, the simulation at
 * the head, the remaining time.
 * @param spentBefore whether the nonce was spent before the poll that found no transaction. A nonce spent since may be
 * the launch itself.
 * @param now milliseconds since 1970.
 */
export async function walletObstacle(
  l2: ObserverPair,
  launch: HandedOffCustomLaunch,
  spentBefore: boolean | null,
  now: number,
): Promise<WalletVerdict> {
  if (spentBefore === null) return UNKNOWN;
  if (spentBefore) return found('ROUTER_NONCE_USED');
  const verdict = await obstacleAtHead(l2, launch, now);
  if (verdict.kind === 'unknown' || verdict.reason === null || verdict.reason === 'DEADLINE_NEAR') return verdict;
  return (await isNonceSpent(l2, launch)) === false ? verdict : UNKNOWN;
}

async function obstacleAtHead(
  l2: ObserverPair,
  { target, request }: HandedOffCustomLaunch,
  now: number,
): Promise<WalletVerdict> {
  const { transaction, window, nodeInterface } = target;
  if (transaction === null) throw new TypeError('a custom-launch hand-off is one exact transaction');
  const place = await simulationPlace(l2, transaction, window);
  if (place.kind === 'indeterminate') return UNKNOWN;
  if (place.kind === 'insufficient-funds') return found('CONTROLLER_FUNDS_MISSING');
  if (place.kind === 'window-passed') return found('DEADLINE_NEAR');
  const execution = await simulateAt(l2, transaction, place);
  if (execution.kind === 'indeterminate') return UNKNOWN;
  if (execution.kind === 'reverted') return found('HEAD_SIMULATION_REVERTED');
  const { gasUsed } = execution;
  const cost = await readGasCost(l2, nodeInterface, [{ ...transaction, gasUsed }], place.block);
  if (cost.kind === 'indeterminate') return UNKNOWN;
  const balance = await balanceAgreed(l2, transaction.from, place.block);
  if (balance.kind === 'indeterminate') return UNKNOWN;
  if (balance.value < transaction.value + cost.upperBoundWei) return found('CONTROLLER_FUNDS_MISSING');
  if (cost.upperBoundWei > BigInt(request.budgets.maxGasCostWei)) return found('GAS_BUDGET_EXCEEDED');
  const left = window.deadline - BigInt(Math.floor(now / 1_000));
  return left < NEAR_SECONDS ? found('DEADLINE_NEAR') : { kind: 'known', reason: null };
}
