import type { Hex } from 'viem';
import { feeKernelImmutables } from './fee-kernel.js';
import type { InitializerArguments, InventoryHookArguments } from './inventory.constructors.js';
import { wordOf, type ImmutableWords } from './runtime-template.js';

/** The immutables of the one-shot initializer: everything it was constructed with. */
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

/** The immutables of the separate hook, whose vault and pool are these. The token has none. */
export const inventoryHookImmutables = (
  { config, initializer }: InventoryHookArguments,
  place: { readonly vault: Hex; readonly poolId: Hex },
): ImmutableWords => ({
  ...feeKernelImmutables(config, place),
  initializer: wordOf(initializer),
});
