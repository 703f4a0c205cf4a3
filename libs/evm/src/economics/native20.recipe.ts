import { finding, NATIVE20_LIQUIDITY_KIND, type CreateRequest, type Finding } from '@launch/contracts';
import { bytesToHex, keccak256, zeroAddress, type Hex } from 'viem';
import { tokenOnlyLiquidity } from '../amm/liquidity.js';
import { sqrtPriceAtTick } from '../amm/tick-price.js';
import { childAddress } from '../create2/contract-address.js';
import { EvmError } from '../evm.error.js';
import { poolId } from '../launch-call/launch-hashes.js';
import type { Economics } from './economics.types.js';
import { decodeNative20Arguments } from './native20.constructor.js';
import { feeVaultImmutables, native20Immutables, type Native20Parameters } from './native20.immutables.js';
import { fillRuntime } from './runtime-template.js';
import type { ContractTemplate, TemplateSet } from './template-set.types.js';

export const NATIVE20_TICK_SPACING = 60;
/** Platform fee of the native-fee kernel, basis points on both directions (spec 2, Limits). */
export const PLATFORM_FEE_BPS = 20;
const CHAIN_ID = 4663n;
const VAULT_ROLE = 16;

export type Native20Outcome =
  | { readonly ok: true; readonly economics: Economics }
  | { readonly ok: false; readonly findings: readonly Finding[] };

const templateOf = (set: TemplateSet, role: string): ContractTemplate => {
  const template = set.contracts.find((entry) => entry.role === role);
  if (template === undefined) throw new TypeError(`template set ${set.recipe.id} has no ${role}`);
  return template;
};

/** Start price and liquidity of the range; null where the code's ticks or supply allow neither. */
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
 * Holds everything the combined contract carries (constructor arguments, immutables,
 * child vault) against everything the request declares, funds and pins.
 */
export function recogniseNative20(request: CreateRequest, set: TemplateSet): Native20Outcome {
  const template = templateOf(set, 'component');
  const vaultTemplate = templateOf(set, 'child');
  const component = request.graphBundle.components[0]!;
  const account = component.predictedAddress as Hex;
  const findings: Finding[] = [];
  const expect = (path: string, expected: string, actual: string): void => {
    if (expected !== actual) findings.push(finding('MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION', path, { expected, actual }));
  };

  const parameters = decodeNative20Arguments(template, component.constructorArgs as Hex);
  if (parameters === null) {
    return {
      ok: false,
      findings: [
        finding('MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION', '/graphBundle/components/0/constructorArgs', {
          expected: 'the canonical ABI encoding of the Native20 constructor',
        }),
      ],
    };
  }

  const { context, graphBundle, liquidityModel, projectMetadata, fundingPlan } = request;
  const args = '/graphBundle/components/0/constructorArgs';
  expect(args, context.chainBindings.poolManager, parameters.poolManager);
  expect(args, context.chainBindings.router, parameters.router);
  expect(args, context.chainBindings.platformFeeRecipient, parameters.platformRecipient);
  if (parameters.creatorRecipient === zeroAddress) expect(args, 'a nonzero creator recipient', zeroAddress);
  expect('/projectMetadata/name', parameters.name, projectMetadata.name);
  expect('/projectMetadata/symbol', parameters.symbol, projectMetadata.symbol);

  const model = '/liquidityModel';
  expect(`${model}/kind`, NATIVE20_LIQUIDITY_KIND, liquidityModel.kind);
  expect(`${model}/tickSpacing`, String(NATIVE20_TICK_SPACING), String(liquidityModel.tickSpacing));
  expect(`${model}/tickLower`, String(parameters.tickLower), String(liquidityModel.tickLower));
  expect(`${model}/tickUpper`, String(parameters.tickUpper), String(liquidityModel.tickUpper));

  const { poolKey, sqrtPriceX96 } = graphBundle.officialPool;
  const pool = '/graphBundle/officialPool';
  expect(`${pool}/poolKey/currency0`, zeroAddress, poolKey.currency0);
  expect(`${pool}/poolKey/currency1`, account, poolKey.currency1);
  expect(`${pool}/poolKey/hooks`, account, poolKey.hooks);
  expect(`${pool}/poolKey/fee`, '0', String(poolKey.fee));
  expect(`${pool}/poolKey/tickSpacing`, String(NATIVE20_TICK_SPACING), String(poolKey.tickSpacing));
  const range = rangeOf(parameters);
  if (range === null) {
    return { ok: false, findings: [...findings, finding('MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION', args, { expected: 'an ordered tick range and a supply it can hold' })] };
  }
  const { price, liquidity } = range;
  expect(`${pool}/sqrtPriceX96`, price.toString(), sqrtPriceX96);
  expect(`${model}/liquidity`, liquidity.toString(), liquidityModel.liquidity);
  expect('/fundingPlan/nativeLiquidityWei', '0', fundingPlan.nativeLiquidityWei);

  const vault = childAddress(account, BigInt(vaultTemplate.createNonce ?? 1));
  const id = poolId({ ...poolKey, currency0: poolKey.currency0 as Hex, currency1: poolKey.currency1 as Hex, hooks: poolKey.hooks as Hex });
  const runtime = fillRuntime(template, native20Immutables(parameters, { account, vault, poolId: id, chainId: CHAIN_ID }));
  const vaultRuntimeHash = keccak256(fillRuntime(vaultTemplate, feeVaultImmutables(parameters, account)));
  if (bytesToHex(runtime) !== component.expectedRuntimeCode) {
    findings.push(
      finding('MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION', '/graphBundle/components/0/expectedRuntimeCode', {
        expected: 'immutables equal to the constructor arguments, the fee vault and the pool',
      }),
    );
  }
  expect('/graphBundle/children', '1', String(graphBundle.children.length));
  const child = graphBundle.children[0];
  if (child !== undefined) {
    expect('/graphBundle/children/0/parentIndex', '0', String(child.parentIndex));
    expect('/graphBundle/children/0/roleMask', String(VAULT_ROLE), String(child.roleMask));
    expect('/graphBundle/children/0/account', vault, child.account);
    expect('/graphBundle/children/0/runtimeCodeHash', vaultRuntimeHash, child.runtimeCodeHash);
  }

  if (findings.length > 0) return { ok: false, findings };
  return {
    ok: true,
    economics: {
      schemaVersion: 'service.multi-role-economics.v1',
      recipe: set.recipe,
      token: { account, name: parameters.name, symbol: parameters.symbol, decimals: 18, supply: parameters.supply.toString() },
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
