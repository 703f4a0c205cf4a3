import type { JudgedRequest } from '@launch/contracts/launch';
import { keccak256, zeroAddress, type Hex } from 'viem';
import { childAddress } from '../create2/contract-address.js';
import type { BindingFindings } from './economic-recipe.js';
import { feeVaultImmutables, MAX_CREATOR_FEE_BPS, type FeeConfig } from './fee-kernel.js';
import { fillRuntime } from './runtime-template.js';
import type { ContractTemplate } from './template-set.types.js';

const VAULT_ROLE = 16;

/**
 * Compares the hook's configuration with the context: pool, router, platform share, and whether the fees are possible.
 */
export function expectFeeConfig(
  bindings: BindingFindings,
  { chainBindings }: JudgedRequest['context'],
  config: FeeConfig,
  path: string,
): void {
  bindings.expect(path, chainBindings.poolManager, config.poolManager);
  bindings.expect(path, chainBindings.router, config.router);
  bindings.expect(path, chainBindings.platformFeeRecipient, config.platformRecipient);
  if (config.creatorRecipient === zeroAddress) bindings.refuse(path, 'a nonzero creator recipient', zeroAddress);
  for (const fee of [config.creatorBuyFeeBps, config.creatorSellFeeBps]) {
    if (fee > MAX_CREATOR_FEE_BPS)
      bindings.refuse(path, `creator fees of at most ${MAX_CREATOR_FEE_BPS} basis points`, String(fee));
  }
}

/** Checks the key of the official pool: native currency first, the token, the hook, no LP fee, this spacing. */
export function expectPool(
  bindings: BindingFindings,
  { poolKey }: JudgedRequest['graphBundle']['officialPool'],
  expected: { readonly token: Hex; readonly hook: Hex; readonly tickSpacing: number },
): void {
  const pool = '/graphBundle/officialPool/poolKey';
  bindings.expect(`${pool}/currency0`, zeroAddress, poolKey.currency0);
  bindings.expect(`${pool}/currency1`, expected.token, poolKey.currency1);
  bindings.expect(`${pool}/hooks`, expected.hook, poolKey.hooks);
  bindings.expect(`${pool}/fee`, '0', String(poolKey.fee));
  bindings.expect(`${pool}/tickSpacing`, String(expected.tickSpacing), String(poolKey.tickSpacing));
}

/** Returns the address at which the hook's constructor creates its fee vault. */
export const feeVaultOf = (template: ContractTemplate, hook: Hex): Hex =>
  childAddress(hook, BigInt(template.createNonce ?? 1));

/**
 * Checks the only child of a recipe on the kernel: the vault of the hook at `hookIndex`, with the runtime that its
 * arguments produce.
 */
export function expectFeeVault(
  bindings: BindingFindings,
  children: JudgedRequest['graphBundle']['children'],
  template: ContractTemplate,
  expected: { readonly hookIndex: number; readonly hook: Hex; readonly config: FeeConfig },
): void {
  const runtimeHash = keccak256(fillRuntime(template, feeVaultImmutables(expected.config, expected.hook)));
  bindings.expect('/graphBundle/children', '1', String(children.length));
  const child = children[0];
  if (child === undefined) return;
  const at = '/graphBundle/children/0';
  bindings.expect(`${at}/parentIndex`, String(expected.hookIndex), String(child.parentIndex));
  bindings.expect(`${at}/roleMask`, String(VAULT_ROLE), String(child.roleMask));
  bindings.expect(`${at}/account`, feeVaultOf(template, expected.hook), child.account);
  bindings.expect(`${at}/runtimeCodeHash`, runtimeHash, child.runtimeCodeHash);
}
