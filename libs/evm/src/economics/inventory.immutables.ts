import type { Hex } from 'viem';
import { feeKernelImmutables } from './fee-kernel.js';
import type { InitializerArguments, InventoryHookArguments } from './inventory.constructors.js';
import { wordOf, type ImmutableWords } from './runtime-template.js';

/** Returns the immutables of the one-shot initializer: all of its constructor arguments. */
export const initializerImmutables = ({
  poolManager,
  router,
  tickLower,
  tickUpper,
}: InitializerArguments): ImmutableWords => ({
  poolManager: wordOf(poolManager),
  router: wordOf(router),
  tickLower: wordOf(BigInt(tickLower)),
  tickUpper: wordOf(BigInt(tickUpper)),
});

/** Returns the immutables of the separate hook with this vault and this pool. The token has none. */
export const inventoryHookImmutables = (
  { config, initializer }: InventoryHookArguments,
  place: { readonly vault: Hex; readonly poolId: Hex },
): ImmutableWords => ({
  ...feeKernelImmutables(config, place),
  initializer: wordOf(initializer),
});
