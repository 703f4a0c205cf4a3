import { INVENTORY_LIQUIDITY_KIND, type JudgedRequest } from '@launch/contracts/launch';
import { bytesToHex, type Hex } from 'viem';
import { inventoryPosition, type InventoryPosition } from '../amm/inventory-position.js';
import { poolId } from '../launch-call/launch-hashes.js';
import { BindingFindings, templatesOf, type EconomicRecipe, type RecipeOutcome } from './economic-recipe.js';
import { expectFeeConfig, expectFeeVault, expectPool, feeVaultOf } from './fee-kernel.bindings.js';
import { PLATFORM_FEE_BPS } from './fee-kernel.js';
import {
  decodeInitializerArguments,
  decodeInventoryHookArguments,
  decodeInventoryTokenArguments,
  inventoryTemplates,
  type InitializerArguments,
  type InventoryHookArguments,
  type InventoryTemplates,
  type InventoryTokenArguments,
} from './inventory.constructors.js';
import { initializerImmutables, inventoryHookImmutables } from './inventory.immutables.js';
import type { EconomicsSchema } from './economics.types.js';
import { INVENTORY_TEMPLATE_SET } from './inventory.template-set.js';
import { NATIVE20_SEED_TEMPLATE_SET } from './native20-seed.template-set.js';
import { fillRuntime, type ImmutableWords } from './runtime-template.js';
import { hasCreationCode, templateDeviations } from './template-match.js';
import type { ContractTemplate, TemplateSet } from './template-set.types.js';

/** Positions of the three contracts in the graph. */
const INITIALIZER = 0;
const TOKEN = 1;
const HOOK = 2;

const component = (index: number): string => `/graphBundle/components/${index}`;
const argumentsAt = (index: number): string => `${component(index)}/constructorArgs`;

interface Carried {
  readonly initializer: InitializerArguments;
  readonly token: InventoryTokenArguments;
  readonly hook: InventoryHookArguments;
}

/** Decodes the arguments of the three contracts. Returns null with findings if an encoding is not canonical. */
function carriedBy(
  bindings: BindingFindings,
  { graphBundle }: JudgedRequest,
  templates: InventoryTemplates,
): Carried | null {
  const encoded = (index: number): Hex => graphBundle.components[index]!.constructorArgs;
  const initializer = decodeInitializerArguments(templates.initializer, encoded(INITIALIZER));
  const token = decodeInventoryTokenArguments(templates.token, encoded(TOKEN));
  const hook = decodeInventoryHookArguments(templates.hook, encoded(HOOK));
  [initializer, token, hook].forEach((decoded, index) => {
    if (decoded === null)
      bindings.refuse(argumentsAt(index), "the canonical ABI encoding of the constructor's arguments");
  });
  return initializer && token && hook && { initializer, token, hook };
}

/**
 * Checks the references between the contracts, and that every address outside the graph is one that the context pins.
 */
function expectNames(
  bindings: BindingFindings,
  { context, graphBundle, projectMetadata }: JudgedRequest,
  { initializer, token, hook }: Carried,
): void {
  const account = (index: number): string => graphBundle.components[index]!.predictedAddress;
  bindings.expect(argumentsAt(INITIALIZER), context.chainBindings.poolManager, initializer.poolManager);
  bindings.expect(argumentsAt(INITIALIZER), context.chainBindings.router, initializer.router);
  bindings.expect(argumentsAt(TOKEN), account(INITIALIZER), token.initializer);
  expectFeeConfig(bindings, context, hook.config, argumentsAt(HOOK));
  bindings.expect(argumentsAt(HOOK), account(TOKEN), hook.token);
  bindings.expect(argumentsAt(HOOK), account(INITIALIZER), hook.initializer);
  bindings.expect('/projectMetadata/name', token.name, projectMetadata.name);
  bindings.expect('/projectMetadata/symbol', token.symbol, projectMetadata.symbol);
}

/**
 * Derives price and liquidity from the values that the code carries. Returns null if the limits forbid any position.
 */
function positionOf(bindings: BindingFindings, { initializer, token, hook }: Carried): InventoryPosition | null {
  const { tickLower, tickUpper } = initializer;
  const result = inventoryPosition(token.inventoryRaw, { tickLower, tickUpper, tickSpacing: hook.tickSpacing });
  if (result.ok) return result.position;
  const holder = { inventoryRaw: TOKEN, tickLower: INITIALIZER, tickUpper: INITIALIZER, tickSpacing: HOOK } as const;
  for (const { field, expected } of result.faults) bindings.refuse(argumentsAt(holder[field]), `${field}: ${expected}`);
  return null;
}

/** Compares pool, liquidity model and funding with that derivation. */
function expectDeclared(
  bindings: BindingFindings,
  request: JudgedRequest,
  { initializer, hook }: Carried,
  position: InventoryPosition | null,
): void {
  const { graphBundle, liquidityModel, funding, fundingPlan } = request;
  const { components, officialPool } = graphBundle;
  expectPool(bindings, officialPool, {
    token: components[TOKEN]!.predictedAddress,
    hook: components[HOOK]!.predictedAddress,
    tickSpacing: hook.tickSpacing,
  });
  const model = '/liquidityModel';
  bindings.expect(`${model}/kind`, INVENTORY_LIQUIDITY_KIND, liquidityModel.kind);
  bindings.expect(`${model}/tickSpacing`, String(hook.tickSpacing), String(liquidityModel.tickSpacing));
  bindings.expect(`${model}/tickLower`, String(initializer.tickLower), String(liquidityModel.tickLower));
  bindings.expect(`${model}/tickUpper`, String(initializer.tickUpper), String(liquidityModel.tickUpper));
  if (position !== null) {
    bindings.expect(
      '/graphBundle/officialPool/sqrtPriceX96',
      position.sqrtPriceX96.toString(),
      officialPool.sqrtPriceX96,
    );
    bindings.expect(`${model}/liquidity`, position.liquidity.toString(), liquidityModel.liquidity);
  }
  bindings.expect('/fundingPlan/nativeLiquidityWei', '0', fundingPlan.nativeLiquidityWei);
  bindings.expect('/funding/totalValueWei', fundingPlan.initialBuyWei, funding.totalValueWei);
  if ((fundingPlan.initialBuyWei === '0') !== (fundingPlan.minimumTokensOut === '0')) {
    bindings.refuse('/fundingPlan/minimumTokensOut', 'initialBuyWei and minimumTokensOut both 0 or both positive');
  }
}

/** Rebuilds each declared runtime from the reviewed template and the constructor arguments, and compares them. */
function expectRuntimes(
  bindings: BindingFindings,
  { graphBundle }: JudgedRequest,
  templates: InventoryTemplates,
  { initializer, hook }: Carried,
  place: { readonly vault: Hex; readonly poolId: Hex },
): void {
  const expected: readonly [ContractTemplate, ImmutableWords][] = [
    [templates.initializer, initializerImmutables(initializer)],
    [templates.token, {}],
    [templates.hook, inventoryHookImmutables(hook, place)],
  ];
  expected.forEach(([template, words], index) => {
    if (bytesToHex(fillRuntime(template, words)) !== graphBundle.components[index]!.expectedRuntimeCode) {
      bindings.refuse(
        `${component(index)}/expectedRuntimeCode`,
        'immutables equal to the constructor arguments, the fee vault and the pool',
      );
    }
  });
  const account = graphBundle.components[HOOK]!.predictedAddress;
  expectFeeVault(bindings, graphBundle.children, templates.vault, {
    hookIndex: HOOK,
    hook: account,
    config: hook.config,
  });
}

/**
 * Compares the values that the three contracts and the child vault carry with everything that the request declares,
 * funds and pins. Derives price, liquidity and every runtime, and takes none of them from the caller
 * (docs/reference/economics.md#inventory-position).
 */
function recogniseInventory(request: JudgedRequest, set: TemplateSet, schemaVersion: EconomicsSchema): RecipeOutcome {
  const bindings = new BindingFindings('MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION');
  const refused = (): RecipeOutcome => ({ ok: false, findings: bindings.list });
  templatesOf(set, 'component').forEach((template, index) => {
    for (const { path, expected } of templateDeviations(request, index, set, template)) bindings.refuse(path, expected);
  });
  // The arguments of a contract in the wrong position cannot be read.
  if (
    templatesOf(set, 'component').some(
      (template, index) => !hasCreationCode(request.graphBundle.components[index]!, template),
    )
  )
    return refused();

  const templates = inventoryTemplates(set);
  const carried = carriedBy(bindings, request, templates);
  if (carried === null) return refused();
  expectNames(bindings, request, carried);
  const position = positionOf(bindings, carried);
  expectDeclared(bindings, request, carried, position);

  const { components, officialPool } = request.graphBundle;
  const [initializer, token, hook] = components.map(({ predictedAddress }) => predictedAddress) as [Hex, Hex, Hex];
  const { poolKey } = officialPool;
  const id = poolId({
    ...poolKey,
    currency0: poolKey.currency0,
    currency1: poolKey.currency1,
    hooks: poolKey.hooks,
  });
  const vault = feeVaultOf(templates.vault, hook);
  expectRuntimes(bindings, request, templates, carried, { vault, poolId: id });
  if (bindings.list.length > 0 || position === null) return refused();

  const { config, tickSpacing } = carried.hook;
  const { name, symbol, inventoryRaw } = carried.token;
  return {
    ok: true,
    economics: {
      schemaVersion,
      recipe: set.recipe,
      token: { account: token, name, symbol, decimals: 18, supply: inventoryRaw.toString() },
      hook,
      feeVault: vault,
      fees: {
        platformBps: PLATFORM_FEE_BPS,
        platformRecipient: config.platformRecipient,
        creatorBuyBps: config.creatorBuyFeeBps,
        creatorSellBps: config.creatorSellFeeBps,
        creatorRecipient: config.creatorRecipient,
      },
      pool: {
        poolManager: config.poolManager,
        poolId: id,
        fee: 0,
        tickSpacing,
        sqrtPriceX96: position.sqrtPriceX96.toString(),
        tickLower: carried.initializer.tickLower,
        tickUpper: carried.initializer.tickUpper,
        liquidity: position.liquidity.toString(),
      },
      inventory: {
        initializer,
        inventoryRaw: inventoryRaw.toString(),
        settledRaw: position.settledRaw.toString(),
        residueRaw: position.residueRaw.toString(),
      },
      buy: { initialBuyWei: request.fundingPlan.initialBuyWei, minimumTokensOut: request.fundingPlan.minimumTokensOut },
    },
  };
}

const hasInventoryCode: EconomicRecipe['claims'] = ({ graphBundle }, set) => {
  const templates = templatesOf(set, 'component');
  return (
    templates.length === graphBundle.components.length &&
    templates.every((template) => graphBundle.components.some((declared) => hasCreationCode(declared, template)))
  );
};

/**
 * The recipe of initializer, token and separate hook (docs/reference/economics.md#recipes). The reviewed creation codes
 * make a request an inventory launch. A wrong role, runtime, compiler or position is then a binding to correct. Other
 * creation code is an unknown mechanism.
 */
export const INVENTORY_RECIPE: EconomicRecipe = {
  set: INVENTORY_TEMPLATE_SET,
  claims: hasInventoryCode,
  recognise: (request, set) => recogniseInventory(request, set, 'service.multi-role-economics.v1'),
};

/** The same contracts under router V1, for custom launches and plans (docs/reference/economics.md#recipes). */
export const NATIVE20_SEED_RECIPE: EconomicRecipe = {
  set: NATIVE20_SEED_TEMPLATE_SET,
  claims: hasInventoryCode,
  recognise: (request, set) => recogniseInventory(request, set, 'service.custom-launch-economics.v1'),
};
