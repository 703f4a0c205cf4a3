import { profileVersionOf } from '@launch/contracts/launch';
import { customLaunchFinding, type CustomLaunchFinding } from '@launch/contracts/errors';
import { fundingTotals, type JudgedCustomLaunch } from '@launch/evm';
import type { CustomLaunchGroup, CustomLaunchRequestFact } from './custom-launch.group.js';

/** Requires the profile that the context publishes: the server selects it and does not convert a request of another. */
export const PROFILE: CustomLaunchGroup<{ readonly request: Pick<JudgedCustomLaunch, 'profile' | 'context'> }> = {
  name: 'profile',
  find({ request }) {
    const published = `${profileVersionOf(request.context)}.0`;
    return request.profile === published
      ? []
      : [customLaunchFinding('PROFILE_NOT_CURRENT', '/profile', { expected: published, actual: request.profile })];
  },
};

/** Whether a request's checkpoint is a block of the last 24 hours on which both observers agree. */
export interface CheckpointFact {
  readonly isCheckpointHeld: boolean;
}

export const CHECKPOINT: CustomLaunchGroup<
  { readonly request: Pick<JudgedCustomLaunch, 'checkpoint'> } & CheckpointFact
> = {
  name: 'checkpoint',
  find: ({ request, isCheckpointHeld }) =>
    isCheckpointHeld
      ? []
      : [
          customLaunchFinding('CHECKPOINT_STALE', '/checkpoint', {
            expected: 'a block of the last 24 hours in the chain of both observers',
            actual: request.checkpoint.blockNumber,
          }),
        ],
};

/**
 * Requires that the parts of the value add up, each by its kind. The platform fee is part of the buy: it is reported,
 * never added.
 */
export const CUSTOM_LAUNCH_FUNDING: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'funding',
  find({ request: { funding } }) {
    const findings: CustomLaunchFinding[] = [];
    const expect = (
      code: 'FUNDING_INVALID' | 'FUNDING_TOTAL_MISMATCH',
      member: keyof typeof funding,
      expected: bigint,
    ) => {
      if (BigInt(funding[member]) !== expected)
        findings.push(
          customLaunchFinding(code, `/funding/${member}`, { expected: String(expected), actual: funding[member] }),
        );
    };
    const positive = (member: 'initialBuyWei' | 'minimumTokensOut') => {
      if (funding[member] === '0')
        findings.push(
          customLaunchFinding('FUNDING_INVALID', `/funding/${member}`, { expected: 'more than 0', actual: '0' }),
        );
    };
    if (funding.kind === 'none') {
      expect('FUNDING_INVALID', 'initialBuyWei', 0n);
      expect('FUNDING_INVALID', 'minimumTokensOut', 0n);
    } else {
      positive('initialBuyWei');
      positive('minimumTokensOut');
    }
    const totals = fundingTotals({
      initialBuyWei: BigInt(funding.initialBuyWei),
      liquidityNativeWei: BigInt(funding.liquidityNativeWei),
    });
    expect('FUNDING_INVALID', 'liquidityNativeWei', 0n);
    expect('FUNDING_INVALID', 'platformFeeWei', totals.platformFeeWei);
    expect('FUNDING_TOTAL_MISMATCH', 'totalValueWei', totals.totalValueWei);
    return findings;
  },
};

/** Requires a value within the controller's budget; the buy counts once, inside it, and gas counts separately. */
export const VALUE_BUDGET: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'value-budget',
  find: ({ request: { budgets, funding } }) =>
    BigInt(funding.totalValueWei) <= BigInt(budgets.maxLaunchValueWei)
      ? []
      : [
          customLaunchFinding('BUDGET_EXCEEDED', '/budgets/maxLaunchValueWei', {
            expected: `at least ${funding.totalValueWei}`,
            actual: budgets.maxLaunchValueWei,
          }),
        ],
};

/** Requires the atomic native buy of profile 4.1, without which no permit can follow. */
export const FUNDED_PROFILE: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'funded-profile',
  find: ({ request: { profile, funding } }) =>
    profile === '4.0.0' || funding.kind === 'atomic-native-buy'
      ? []
      : [
          customLaunchFinding('FUNDING_PROFILE_MISMATCH', '/funding/kind', {
            expected: 'atomic-native-buy',
            actual: funding.kind,
          }),
        ],
};

/** Refuses optional modules, which no profile supports: a request with one can be built, but no permit can follow. */
export const MODULES: CustomLaunchGroup<CustomLaunchRequestFact> = {
  name: 'modules',
  find: ({ request }) =>
    !('moduleSelections' in request) || request.moduleSelections.length === 0
      ? []
      : [
          customLaunchFinding('CUSTOM_LAUNCH_EVIDENCE_REQUIRED', '/moduleSelections', {
            expected: 'no modules',
            actual: String(request.moduleSelections.length),
            detail:
              'No profile launches optional modules yet; leave them out, or keep the plan as one that is built only.',
          }),
        ],
};

/** The server's own reading of both price feeds: one US dollar in wei, rounded up. */
export interface UsdReferenceFact {
  readonly oneUsdReferenceWei: bigint;
}

/** Requires a buy worth at least one US dollar; an equal value passes. */
export const USD_REFERENCE: CustomLaunchGroup<
  { readonly request: Pick<JudgedCustomLaunch, 'funding'> } & UsdReferenceFact
> = {
  name: 'usd-reference',
  find: ({ request: { funding }, oneUsdReferenceWei }) =>
    funding.kind === 'none' || BigInt(funding.initialBuyWei) >= oneUsdReferenceWei
      ? []
      : [
          customLaunchFinding('CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE', '/funding/initialBuyWei', {
            expected: `at least ${oneUsdReferenceWei}`,
            actual: funding.initialBuyWei,
          }),
        ],
};

/** The wallets for which the caller's key may launch; null if it may launch for any. */
export interface ControllersFact {
  readonly controllers: ReadonlySet<string> | null;
}

/**
 * Reports a wallet other than the key's in a plan's preflight, among the other findings; a custom-launch route refuses
 * the key instead.
 */
export const CONTROLLER: CustomLaunchGroup<
  { readonly request: Pick<JudgedCustomLaunch, 'launchWallet'> } & ControllersFact
> = {
  name: 'controller',
  find: ({ request: { launchWallet }, controllers }) =>
    controllers === null || controllers.has(launchWallet)
      ? []
      : [
          customLaunchFinding('WALLET_BINDING_MISMATCH', '/launchWallet', {
            expected: 'a wallet that the API key is bound to',
            actual: launchWallet,
          }),
        ],
};
