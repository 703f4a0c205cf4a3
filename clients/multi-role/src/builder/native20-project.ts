import type { InertPackConfig, LaunchContext, RuntimeTemplate } from '@launch/contracts/multi-role';
import {
  childAddress,
  encodeNative20Arguments,
  feeVaultImmutables,
  fillRuntime,
  initCodeOf,
  native20Immutables,
  poolId,
  predictedAddress,
  routerOf,
  sqrtPriceAtTick,
  tokenOnlyLiquidity,
  type ContractTemplate,
  type Hex,
  type Native20Parameters,
  type PoolKey,
} from '@launch/evm';
import { bytesToHex, keccak256 } from 'viem/utils';

/** The choices that a launcher adds to the inert project: its recipients and names. */
export interface ProjectChoices {
  readonly creatorRecipient: Hex;
  readonly name: string;
  readonly symbol: string;
}

/** The constructor's arguments and the creation code with them; the salt is mined over its hash. */
export interface PreparedProject {
  readonly parameters: Native20Parameters;
  readonly constructorArgs: Hex;
  readonly initCodeHash: Hex;
}

/** The values that the salt determines: addresses, pool and both runtimes. */
export interface PlacedProject {
  readonly account: Hex;
  readonly vault: Hex;
  readonly poolKey: PoolKey;
  readonly poolId: Hex;
  readonly sqrtPriceX96: bigint;
  readonly liquidity: bigint;
  readonly runtime: Hex;
  readonly vaultRuntimeHash: Hex;
}

const NATIVE_CURRENCY: Hex = `0x${'0'.repeat(40)}`;

/** Binds the project to the context's router, PoolManager and platform recipient. */
export function prepareProject(
  project: InertPackConfig['project'],
  context: LaunchContext,
  choices: ProjectChoices,
): PreparedProject {
  const { supply, tickLower, tickUpper, creatorBuyFeeBps, creatorSellFeeBps } = project.parameters;
  const parameters: Native20Parameters = {
    poolManager: context.chainBindings.poolManager,
    router: context.chainBindings.router,
    platformRecipient: context.chainBindings.platformFeeRecipient,
    creatorRecipient: choices.creatorRecipient,
    creatorBuyFeeBps,
    creatorSellFeeBps,
    name: choices.name,
    symbol: choices.symbol,
    supply: BigInt(supply),
    tickLower,
    tickUpper,
  };
  const { template, roleMask } = project.component;
  const constructorArgs = encodeNative20Arguments(contractTemplate(template, 'component', roleMask), parameters);
  return {
    parameters,
    constructorArgs,
    initCodeHash: keccak256(initCodeOf(template.creationBytecode, constructorArgs)),
  };
}

/** Computes the result of the launch at this salt, without executing anything. */
export function placeProject(
  project: InertPackConfig['project'],
  context: LaunchContext,
  prepared: PreparedProject,
  salt: Hex,
): PlacedProject {
  const { parameters, initCodeHash } = prepared;
  const { chainId, router } = routerOf(context);
  const account = predictedAddress({ deployer: router, salt, initCodeHash });
  const vault = childAddress(account, BigInt(project.child.createNonce));
  const poolKey: PoolKey = {
    currency0: NATIVE_CURRENCY,
    currency1: account,
    fee: 0,
    tickSpacing: project.parameters.tickSpacing,
    hooks: account,
  };
  const id = poolId(poolKey);
  const component = contractTemplate(project.component.template, 'component', project.component.roleMask);
  const child = contractTemplate(project.child.template, 'child', project.child.roleMask);
  return {
    account,
    vault,
    poolKey,
    poolId: id,
    // The whole supply is in one range below the price, so the pool starts at its upper tick.
    sqrtPriceX96: sqrtPriceAtTick(parameters.tickUpper),
    liquidity: tokenOnlyLiquidity(parameters.supply, parameters.tickLower, parameters.tickUpper),
    runtime: bytesToHex(
      fillRuntime(component, native20Immutables(parameters, { account, vault, poolId: id, chainId })),
    ),
    vaultRuntimeHash: keccak256(fillRuntime(child, feeVaultImmutables(parameters, account))),
  };
}

/** Returns the published template in the shape that the recipe's arithmetic reads. */
function contractTemplate(template: RuntimeTemplate, role: string, roleMask: number): ContractTemplate {
  return {
    role,
    roleMask,
    contract: template.target.contract,
    path: template.target.path,
    creationCodeHash: keccak256(template.creationBytecode),
    creationCodeLength: template.creationBytecode.length / 2 - 1,
    runtimeLength: template.runtimeTemplate.length / 2 - 1,
    runtimeMaskedHash: keccak256(template.runtimeTemplate as Hex),
    runtimeMasked: template.runtimeTemplate,
    immutables: template.immutables,
    constructor: template.constructorInputs,
  };
}
