import type { InertPackConfig, LaunchNumbers } from '@launch/contracts/multi-role';
import { launchNumbers } from './launch-numbers.js';
import { AS_IN_THE_FILE, type TypedNumbers } from './number-options.js';

/** Computes the numbers of a Native20 configuration. @throws {PackError} as `launchNumbers` */
export function native20Numbers(
  { project, funding }: InertPackConfig,
  typed: TypedNumbers = AS_IN_THE_FILE,
): LaunchNumbers {
  const { supply, ...parameters } = project.parameters;
  const choices = {
    ...parameters,
    supplyRaw: typed.supplyRaw ?? BigInt(supply),
    initialBuyWei: BigInt(funding.plan.initialBuyWei),
    minimumTokensOut: BigInt(funding.plan.minimumTokensOut),
    slippageBps: typed.slippageBps,
  };
  return launchNumbers(choices, {
    supplyRaw: typed.supplyRaw === null ? '/project/parameters/supply' : '--supply',
    tickLower: '/project/parameters/tickLower',
    tickUpper: '/project/parameters/tickUpper',
    tickSpacing: '/project/parameters/tickSpacing',
    initialBuyWei: '/funding/plan/initialBuyWei',
    minimumTokensOut: '/funding/plan/minimumTokensOut',
    slippageBps: '--slippage-bps',
  });
}

/** Returns the configuration with the typed numbers, or unchanged without any. */
export function withNative20Numbers(inert: InertPackConfig, { supply, purchase }: LaunchNumbers): InertPackConfig {
  return {
    ...inert,
    project: { ...inert.project, parameters: { ...inert.project.parameters, supply: supply.raw } },
    funding: {
      ...inert.funding,
      plan: { ...inert.funding.plan, minimumTokensOut: purchase?.minimumTokensOut.raw ?? '0' },
    },
  };
}
