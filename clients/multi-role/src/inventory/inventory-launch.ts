import type { AnyLaunchContext, InventoryParameters } from '@launch/contracts/launch';
import {
  childAddress,
  encodeInitializerArguments,
  encodeInventoryHookArguments,
  encodeInventoryTokenArguments,
  feeVaultImmutables,
  fillRuntime,
  initCodeOf,
  initializerImmutables,
  INVENTORY_TEMPLATE_SET,
  inventoryHookImmutables,
  inventoryTemplates,
  NATIVE_FEE_HOOK_FLAGS,
  poolId,
  predictedAddress,
  routerOf,
  type ContractTemplate,
  type FeeConfig,
  type Hex,
  type ImmutableWords,
  type PoolKey,
} from '@launch/evm';
import { bytesToHex, keccak256 } from 'viem/utils';
import { launchSalt } from '../builder/launch-salt.js';
import { DEFAULT_MAX_ATTEMPTS, mineSalt } from '../builder/salt-miner.js';
import type { InventoryMaterial } from './inventory-material.js';

/** One of the three contracts, as the graph declares it. */
export interface PlacedContract {
  readonly template: ContractTemplate;
  readonly salt: Hex;
  readonly creationCode: Hex;
  readonly constructorArgs: Hex;
  readonly account: Hex;
  readonly runtime: Hex;
}

export interface PlacedLaunch {
  /** Initializer, token, hook: each names only those before it. */
  readonly components: readonly [PlacedContract, PlacedContract, PlacedContract];
  readonly vault: Hex;
  readonly vaultRuntimeHash: Hex;
  readonly poolKey: PoolKey;
  readonly poolId: Hex;
  readonly miningAttempts: number;
}

export interface LaunchToPlace {
  readonly context: AnyLaunchContext;
  readonly wallet: Hex;
  readonly nonce: bigint;
  readonly name: string;
  readonly symbol: string;
  readonly parameters: InventoryParameters;
  readonly onProgress?: (attempts: number) => void;
}

const NATIVE_CURRENCY: Hex = `0x${'0'.repeat(40)}`;
const TEMPLATES = inventoryTemplates(INVENTORY_TEMPLATE_SET);

/**
 * Computes every address, argument and runtime of a launch without executing anything; only the hook's salt has to
 * be mined. Null if the bound was reached.
 */
export async function placeLaunch(material: InventoryMaterial, launch: LaunchToPlace): Promise<PlacedLaunch | null> {
  const { context, wallet, nonce, parameters } = launch;
  const { router } = routerOf(context);
  const poolManager = context.chainBindings.poolManager;
  const place = (
    part: 'initializer' | 'token' | 'hook',
    constructorArgs: Hex,
    salt: Hex,
    words: (account: Hex) => ImmutableWords,
  ): PlacedContract => {
    const creationCode = material.creationCodes[part];
    const account = predictedAddress({ deployer: router, salt, initCode: initCodeOf(creationCode, constructorArgs) });
    const template = TEMPLATES[part];
    return {
      template,
      salt,
      creationCode,
      constructorArgs,
      account,
      runtime: bytesToHex(fillRuntime(template, words(account))),
    };
  };
  const freeSalt = launchSalt(wallet, nonce, 0);

  const { tickLower, tickUpper, tickSpacing } = parameters;
  const initializing = { poolManager, router, tickLower, tickUpper };
  const initializer = place(
    'initializer',
    encodeInitializerArguments(TEMPLATES.initializer, initializing),
    freeSalt,
    () => initializerImmutables(initializing),
  );

  const minting = {
    name: launch.name,
    symbol: launch.symbol,
    inventoryRaw: BigInt(parameters.inventoryRaw),
    initializer: initializer.account,
  };
  const token = place('token', encodeInventoryTokenArguments(TEMPLATES.token, minting), freeSalt, () => ({}));

  const hooking = {
    config: feeConfigOf(context, parameters),
    token: token.account,
    tickSpacing,
    initializer: initializer.account,
  };
  const hookArguments = encodeInventoryHookArguments(TEMPLATES.hook, hooking);
  const mined = await mineSalt({
    router,
    controller: wallet,
    nonce,
    initCodeHash: keccak256(initCodeOf(material.creationCodes.hook, hookArguments)),
    hookFlags: NATIVE_FEE_HOOK_FLAGS,
    maxAttempts: DEFAULT_MAX_ATTEMPTS,
    ...(launch.onProgress ? { onProgress: launch.onProgress } : {}),
  });
  if (mined === null) return null;
  const keyOf = (hooks: Hex): PoolKey => ({
    currency0: NATIVE_CURRENCY,
    currency1: token.account,
    fee: 0,
    tickSpacing,
    hooks,
  });
  const vaultOf = (account: Hex): Hex => childAddress(account, BigInt(TEMPLATES.vault.createNonce ?? 1));
  const hook = place('hook', hookArguments, mined.salt, (account) =>
    inventoryHookImmutables(hooking, { vault: vaultOf(account), poolId: poolId(keyOf(account)) }),
  );
  const poolKey = keyOf(hook.account);
  return {
    components: [initializer, token, hook],
    vault: vaultOf(hook.account),
    vaultRuntimeHash: keccak256(fillRuntime(TEMPLATES.vault, feeVaultImmutables(hooking.config, hook.account))),
    poolKey,
    poolId: poolId(poolKey),
    miningAttempts: mined.attempts,
  };
}

function feeConfigOf(
  { chainBindings }: AnyLaunchContext,
  { creatorBuyFeeBps, creatorSellFeeBps, creatorRecipient }: InventoryParameters,
): FeeConfig {
  return {
    poolManager: chainBindings.poolManager,
    router: chainBindings.router,
    creatorBuyFeeBps,
    creatorSellFeeBps,
    platformRecipient: chainBindings.platformFeeRecipient,
    creatorRecipient: creatorRecipient,
  };
}
