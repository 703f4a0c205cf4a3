import { NATIVE20_LIQUIDITY_KIND, type JudgedRequest } from '@launch/contracts/launch';
import { bytesToHex } from 'viem';
import { tokenOnlyLiquidity } from '../amm/liquidity.js';
import { sqrtPriceAtTick } from '../amm/tick-price.js';
import { EvmError } from '../evm.error.js';
import { poolId } from '../launch-call/launch-hashes.js';
import {
  BindingFindings,
  templateOf,
  templatesOf,
  type EconomicRecipe,
  type RecipeOutcome,
} from './economic-recipe.js';
import { expectFeeConfig, expectFeeVault, expectPool, feeVaultOf } from './fee-kernel.bindings.js';
import { PLATFORM_FEE_BPS } from './fee-kernel.js';
import { decodeNative20Arguments } from './native20.constructor.js';
import { native20Immutables, type Native20Parameters } from './native20.immutables.js';
import { NATIVE20_TEMPLATE_SET } from './native20.template-set.js';
import { fillRuntime } from './runtime-template.js';
import { templateDeviations } from './template-match.js';
import type { TemplateSet } from './template-set.types.js';

export const NATIVE20_TICK_SPACING = 60;
const CHAIN_ID = 4663n;

/** Returns start price and liquidity of the range, or null if the code's ticks or supply allow neither. */
function rangeOf(parameters: Native20Parameters): { readonly price: bigint; readonly liquidity: bigint } | null {
  try {
    return {
      price: sqrtPriceAtTick(parameters.tickUpper),
      liquidity: tokenOnlyLiquidity(parameters.supply, parameters.tickLower, parameters.tickUpper),
    };
  } catch (error) {
    if (error instanceof EvmError) return null;
    throw error;
  }
}

/**
 * Compares the values that the combined contract carries (constructor arguments, immutables, child vault) with
 * everything that the request declares, funds and pins.
 */
function recogniseNative20(request: JudgedRequest, set: TemplateSet): RecipeOutcome {
  const template = templateOf(set, 'component');
  const vaultTemplate = templateOf(set, 'child');
  const component = request.graphBundle.components[0]!;
  const account = component.predictedAddress;
  const bindings = new BindingFindings('MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION');
  const args = '/graphBundle/components/0/constructorArgs';

  const parameters = decodeNative20Arguments(template, component.constructorArgs);
  if (parameters === null) {
    bindings.refuse(args, 'the canonical ABI encoding of the Native20 constructor');
    return { ok: false, findings: bindings.list };
  }
  const { context, graphBundle, liquidityModel, projectMetadata, fundingPlan } = request;
  expectFeeConfig(bindings, context, parameters, args);
  bindings.expect('/projectMetadata/name', parameters.name, projectMetadata.name);
  bindings.expect('/projectMetadata/symbol', parameters.symbol, projectMetadata.symbol);

  const model = '/liquidityModel';
  bindings.expect(`${model}/kind`, NATIVE20_LIQUIDITY_KIND, liquidityModel.kind);
  bindings.expect(`${model}/tickSpacing`, String(NATIVE20_TICK_SPACING), String(liquidityModel.tickSpacing));
  bindings.expect(`${model}/tickLower`, String(parameters.tickLower), String(liquidityModel.tickLower));
  bindings.expect(`${model}/tickUpper`, String(parameters.tickUpper), String(liquidityModel.tickUpper));

  const { poolKey, sqrtPriceX96 } = graphBundle.officialPool;
  expectPool(bindings, graphBundle.officialPool, { token: account, hook: account, tickSpacing: NATIVE20_TICK_SPACING });

  const range = rangeOf(parameters);
  if (range === null) {
    bindings.refuse(args, 'an ordered tick range and a supply it can hold');
    return { ok: false, findings: bindings.list };
  }
  const { price, liquidity } = range;
  bindings.expect('/graphBundle/officialPool/sqrtPriceX96', price.toString(), sqrtPriceX96);
  bindings.expect(`${model}/liquidity`, liquidity.toString(), liquidityModel.liquidity);
  bindings.expect('/fundingPlan/nativeLiquidityWei', '0', fundingPlan.nativeLiquidityWei);

  const vault = feeVaultOf(vaultTemplate, account);
  const id = poolId({
    ...poolKey,
    currency0: poolKey.currency0,
    currency1: poolKey.currency1,
    hooks: poolKey.hooks,
  });
  const runtime = fillRuntime(
    template,
    native20Immutables(parameters, { account, vault, poolId: id, chainId: CHAIN_ID }),
  );
  if (bytesToHex(runtime) !== component.expectedRuntimeCode) {
    bindings.refuse(
      '/graphBundle/components/0/expectedRuntimeCode',
      'immutables equal to the constructor arguments, the fee vault and the pool',
    );
  }
  expectFeeVault(bindings, graphBundle.children, vaultTemplate, { hookIndex: 0, hook: account, config: parameters });
  if (bindings.list.length > 0) return { ok: false, findings: bindings.list };

  return {
    ok: true,
    economics: {
      schemaVersion: 'service.multi-role-economics.v1',
      recipe: set.recipe,
      token: {
        account,
        name: parameters.name,
        symbol: parameters.symbol,
        decimals: 18,
        supply: parameters.supply.toString(),
      },
      hook: account,
      feeVault: vault,
      fees: {
        platformBps: PLATFORM_FEE_BPS,
        platformRecipient: parameters.platformRecipient,
        creatorBuyBps: parameters.creatorBuyFeeBps,
        creatorSellBps: parameters.creatorSellFeeBps,
        creatorRecipient: parameters.creatorRecipient,
      },
      pool: {
        poolManager: parameters.poolManager,
        poolId: id,
        fee: 0,
        tickSpacing: NATIVE20_TICK_SPACING,
        sqrtPriceX96: price.toString(),
        tickLower: parameters.tickLower,
        tickUpper: parameters.tickUpper,
        liquidity: liquidity.toString(),
      },
      buy: { initialBuyWei: fundingPlan.initialBuyWei, minimumTokensOut: fundingPlan.minimumTokensOut },
    },
  };
}

/** The recipe of combined token and hook: one contract, role mask 3 (docs/reference/economics.md#recipes). */
export const NATIVE20_RECIPE: EconomicRecipe = {
  set: NATIVE20_TEMPLATE_SET,
  claims: (request, set) => {
    const templates = templatesOf(set, 'component');
    return (
      templates.length === request.graphBundle.components.length &&
      templates.every((template, index) => templateDeviations(request, index, set, template).length === 0)
    );
  },
  recognise: recogniseNative20,
};
