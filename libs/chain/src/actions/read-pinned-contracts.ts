import { keccak256 } from 'viem';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { LaunchContext } from '@launch/contracts/multi-role';
import type { ObserverPair } from '../rpc/observer.js';
import { agreedChainId, servesItsChain } from '../agreement/chain-id.js';
import { getCodeAgreed } from './agreed-reads.js';

/** The reasons why the gateway cannot serve a context; published by capabilities. */
export const READINESS_REASONS = [
  'FINALITY_POLICY_UNKNOWN',
  'L2_OBSERVERS_NOT_IN_CONTEXT',
  'L1_OBSERVERS_NOT_IN_CONTEXT',
  'L2_CHAIN_ID_MISMATCH',
  'L1_CHAIN_ID_MISMATCH',
  'ROUTER_CODE_MISMATCH',
  'POOL_MANAGER_CODE_MISMATCH',
  'PRICE_FEED_CODE_MISMATCH',
  'OBSERVERS_INDETERMINATE',
] as const;
export type ReadinessReason = (typeof READINESS_REASONS)[number];

/**
 * Compares the deployed router and PoolManager, as both L2 observers return them, with the code hashes that the context
 * pins. Returns no reasons if the chain is the context's chain.
 */
export async function readPinnedContracts(
  l2: ObserverPair,
  context: Pick<LaunchContext, 'chainDeployment'>,
): Promise<ReadinessReason[]> {
  const { router, poolManager } = context.chainDeployment;
  const reasons = await Promise.all([
    chainIdReasons(l2, 'L2_CHAIN_ID_MISMATCH'),
    pinnedReasons(l2, router, 'ROUTER_CODE_MISMATCH'),
    pinnedReasons(l2, poolManager, 'POOL_MANAGER_CODE_MISMATCH'),
  ]);
  return [...new Set(reasons.flat())];
}

/**
 * Compares the price feeds of both chains, as both observers of each chain return them, with the code hashes that the
 * context pins. Also checks that the Ethereum observers serve Ethereum.
 */
export async function readPinnedFeeds(
  observers: { readonly l2: ObserverPair; readonly l1: ObserverPair },
  { l2Feed, l1Feed }: Pick<CustomLaunchContext['chainDeployment']['usdReference'], 'l2Feed' | 'l1Feed'>,
): Promise<ReadinessReason[]> {
  const reasons = await Promise.all([
    chainIdReasons(observers.l1, 'L1_CHAIN_ID_MISMATCH'),
    pinnedReasons(observers.l2, l2Feed, 'PRICE_FEED_CODE_MISMATCH'),
    pinnedReasons(observers.l1, l1Feed, 'PRICE_FEED_CODE_MISMATCH'),
  ]);
  return [...new Set(reasons.flat())];
}

async function pinnedReasons(
  pair: ObserverPair,
  { address, runtimeCodeHash }: Pick<LaunchContext['chainDeployment']['router'], 'address' | 'runtimeCodeHash'>,
  mismatch: ReadinessReason,
): Promise<ReadinessReason[]> {
  const code = await getCodeAgreed(pair, address);
  if (code.kind === 'indeterminate') return ['OBSERVERS_INDETERMINATE'];
  return code.value === '0x' || keccak256(code.value) !== runtimeCodeHash ? [mismatch] : [];
}

/** Checks that both observers serve their configured chain. */
export async function chainIdReasons(
  pair: ObserverPair,
  mismatch: 'L2_CHAIN_ID_MISMATCH' | 'L1_CHAIN_ID_MISMATCH',
): Promise<ReadinessReason[]> {
  const chainId = await agreedChainId(pair);
  if (chainId.kind === 'indeterminate') return ['OBSERVERS_INDETERMINATE'];
  return servesItsChain(pair, chainId.value) ? [] : [mismatch];
}

/** Compares the configured observers with those that the context published, in any order. Makes no call. */
export function observersOfContext(
  context: Pick<LaunchContext, 'providerProfile'>,
  configured: { readonly l2: ObserverIdentities; readonly l1?: ObserverIdentities },
): ReadinessReason[] {
  const reasons: ReadinessReason[] = [];
  if (!sameObservers(configured.l2, context.providerProfile.l2Observers)) reasons.push('L2_OBSERVERS_NOT_IN_CONTEXT');
  if (configured.l1 !== undefined && !sameObservers(configured.l1, context.providerProfile.l1Observers))
    reasons.push('L1_OBSERVERS_NOT_IN_CONTEXT');
  return reasons;
}

type ObserverIdentities = readonly { readonly id: string; readonly originCommitment: string }[];

function sameObservers(left: ObserverIdentities, right: ObserverIdentities): boolean {
  const key = (list: ObserverIdentities): string =>
    list
      .map((one) => `${one.id} ${one.originCommitment}`)
      .sort()
      .join('\n');
  return key(left) === key(right);
}
