import { CHAIN_ID } from '@launch/contracts/primitives';
import { PLATFORM_FEE_BPS, type Economics, type LaunchPermit } from '@launch/evm';
import { formatUnits } from 'viem/utils';
import type { HandoffFact } from './handoff.types.js';
import { ether, percent, rolesOf, utcTime } from './human-values.js';
import type { RecomputedLaunch } from './read-request.js';

const BPS = 10_000n;

/** The facts that every launch has, with the labels that descriptors and programs share. */
export const FACT_LABELS = {
  token: 'Token',
  step: 'This step',
  total: 'You pay',
  planTotal: 'The whole plan pays',
  buy: 'of which buys tokens',
  liquidity: 'of which liquidity',
  platformFee: 'Platform fee, part of the buy',
  minimum: 'You receive at least',
  locked: 'Can never be withdrawn',
  tradeFees: 'Fee of each trade',
  platformRecipient: 'Platform fees go to',
  creatorRecipient: 'Creator fees go to',
  changeable: 'Can still change',
  contracts: 'Contracts that are created',
  chain: 'Chain',
  controller: 'Sending wallet',
  router: 'Called contract',
  nonce: 'Nonce',
  validAfter: 'Valid from',
  deadline: 'Expires',
} as const;
export type FactId = keyof typeof FACT_LABELS;

const fact = (id: FactId, value: string, display: string, note: string | null = null): HandoffFact => ({
  id,
  label: FACT_LABELS[id],
  value,
  display,
  note,
});

/** A transaction of a launch: the only one, or one step of a plan. */
export interface ExplainedStep {
  readonly stepId: string;
  /** Position in the plan, from 0. */
  readonly index: number;
  /** Steps of the plan. */
  readonly count: number;
  /** Wei that the step sends. */
  readonly value: bigint;
}

/** Explains a launch in the words of its controller, from recomputed values only. */
export function explainLaunch(
  launch: RecomputedLaunch,
  permit: LaunchPermit,
  step: ExplainedStep,
): readonly HandoffFact[] {
  const { call, request, economics } = launch;
  const { name, symbol } = request.projectMetadata;
  return [
    fact('token', symbol, `${name} (${symbol})`),
    ...paymentFacts(permit, step),
    fact('buy', call.initialBuyWei.toString(), ether(call.initialBuyWei)),
    fact('liquidity', call.nativeLiquidityWei.toString(), ether(call.nativeLiquidityWei)),
    ...feeFact(call.initialBuyWei),
    ...(economics.kind === 'recognised' ? economicFacts(economics.economics, call.minimumTokensOut, symbol) : []),
    fact(
      'contracts',
      String(call.components.length),
      call.components.length === 1 ? '1 contract' : `${call.components.length} contracts`,
      request.graphBundle.components
        .map(({ componentId, roleMask, predictedAddress }) => {
          const roles = rolesOf(roleMask);
          return `${roles === componentId ? componentId : `${componentId} (${roles})`}: ${predictedAddress}.`;
        })
        .join(' '),
    ),
    fact('chain', String(CHAIN_ID), String(CHAIN_ID)),
    fact('controller', permit.controller, permit.controller),
    fact('router', launch.context.chainDeployment.router.address, launch.context.chainDeployment.router.address),
    fact('nonce', permit.nonce.toString(), permit.nonce.toString(), 'The router accepts each nonce of a wallet once.'),
    fact('validAfter', permit.validAfter.toString(), utcTime(permit.validAfter)),
    fact(
      'deadline',
      permit.deadline.toString(),
      utcTime(permit.deadline),
      'The router refuses the transaction after this time.',
    ),
  ];
}

const GAS = 'The wallet adds the gas of the network.';

/** A step of several sends a part of the plan's value, and often nothing: only the last one creates the pool and buys. */
function paymentFacts(permit: LaunchPermit, { stepId, index, count, value }: ExplainedStep): HandoffFact[] {
  if (count === 1) return [fact('total', value.toString(), ether(value), GAS)];
  return [
    fact('step', stepId, `${index + 1} of ${count}: ${stepId}`, 'You sign each step on its own.'),
    fact('total', value.toString(), ether(value), `In this step. ${GAS}`),
    fact('planTotal', permit.value.toString(), ether(permit.value), 'In all steps together, without gas.'),
  ];
}

const feeFact = (buyWei: bigint): HandoffFact[] => {
  const wei = (buyWei * BigInt(PLATFORM_FEE_BPS)) / BPS;
  return [fact('platformFee', wei.toString(), `${ether(wei)} (${percent(PLATFORM_FEE_BPS)})`)];
};

function economicFacts(
  { token, fees, pool, inventory }: Economics,
  minimum: bigint,
  symbol: string,
): readonly HandoffFact[] {
  const tokens = (raw: bigint): string => `${formatUnits(raw, token.decimals)} ${symbol}`;
  const supply = BigInt(token.supply);
  const share = supply === 0n ? 0 : Number((minimum * 1_000_000n) / supply) / 10_000;
  const { creatorBuyBps, creatorSellBps, platformBps } = fees;
  return [
    fact(
      'minimum',
      minimum.toString(),
      `${tokens(minimum)} (${share}% of the supply)`,
      share === 0 && supply > 0n
        ? 'That is less than a millionth of the supply: the buy succeeds at almost any price.'
        : 'The transaction fails if it would give you less.',
    ),
    fact(
      'locked',
      pool.liquidity,
      inventory === undefined
        ? 'The liquidity of the pool'
        : `The liquidity of the pool, and ${tokens(BigInt(inventory.residueRaw))} of rounding`,
      'No contract of the launch can withdraw it. Trades change how much of each asset it holds.',
    ),
    fact(
      'tradeFees',
      `${platformBps},${creatorBuyBps},${creatorSellBps}`,
      `buy ${percent(platformBps + creatorBuyBps)}, sell ${percent(platformBps + creatorSellBps)}`,
      `Of each, ${percent(platformBps)} goes to the platform and the rest to the creator.`,
    ),
    fact(
      'changeable',
      'nothing',
      'Nothing',
      'The supply, the fees and their recipients are fixed in the code. Only trades change the price.',
    ),
    fact('platformRecipient', fees.platformRecipient, fees.platformRecipient),
    fact('creatorRecipient', fees.creatorRecipient, fees.creatorRecipient),
  ];
}
