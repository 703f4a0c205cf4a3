import type { Hex } from 'viem';
import { lowerHex } from '../encoding/hex.js';
import { decodeArguments, encodeArguments } from './abi-arguments.js';
import { feeConfigOf, type FeeConfig } from './fee-kernel.js';
import type { ContractTemplate, TemplateSet } from './template-set.types.js';
import { templateOf, templatesOf } from './economic-recipe.js';

/** The templates of the inventory recipe, in graph order. */
export interface InventoryTemplates {
  readonly initializer: ContractTemplate;
  readonly token: ContractTemplate;
  readonly hook: ContractTemplate;
  readonly vault: ContractTemplate;
}

/** Returns the recipe's templates by their part. @throws {TypeError} if the set lacks one. */
export function inventoryTemplates(set: TemplateSet): InventoryTemplates {
  const [initializer, token, hook] = templatesOf(set, 'component');
  if (initializer === undefined || token === undefined || hook === undefined)
    throw new TypeError(`template set ${set.recipe.id} is not of three contracts`);
  return { initializer, token, hook, vault: templateOf(set, 'child') };
}

/** The initializer's arguments. They name neither token nor hook, so the initializer's address is known first. */
export interface InitializerArguments {
  readonly poolManager: Hex;
  readonly router: Hex;
  readonly tickLower: number;
  readonly tickUpper: number;
}

/** The token's arguments; `inventoryRaw` in raw units with 18 decimals, all minted to the initializer. */
export interface InventoryTokenArguments {
  readonly name: string;
  readonly symbol: string;
  readonly inventoryRaw: bigint;
  readonly initializer: Hex;
}

/** The hook's arguments, which name both other contracts. */
export interface InventoryHookArguments {
  readonly config: FeeConfig;
  readonly token: Hex;
  readonly tickSpacing: number;
  readonly initializer: Hex;
}

export const encodeInitializerArguments = (
  template: ContractTemplate,
  { poolManager, router, tickLower, tickUpper }: InitializerArguments,
): Hex => encodeArguments(template, [poolManager, router, tickLower, tickUpper]);

export const encodeInventoryTokenArguments = (
  template: ContractTemplate,
  { name, symbol, inventoryRaw, initializer }: InventoryTokenArguments,
): Hex => encodeArguments(template, [name, symbol, inventoryRaw, initializer]);

export const encodeInventoryHookArguments = (
  template: ContractTemplate,
  { config, token, tickSpacing, initializer }: InventoryHookArguments,
): Hex => encodeArguments(template, [config, token, tickSpacing, initializer]);

/** Each decoder returns null if the bytes are not the one canonical encoding of such arguments. */
export function decodeInitializerArguments(template: ContractTemplate, encoded: Hex): InitializerArguments | null {
  const values = decodeArguments(template, encoded) as readonly [Hex, Hex, number, number] | null;
  return (
    values && {
      poolManager: lowerHex(values[0]),
      router: lowerHex(values[1]),
      tickLower: values[2],
      tickUpper: values[3],
    }
  );
}

export function decodeInventoryTokenArguments(
  template: ContractTemplate,
  encoded: Hex,
): InventoryTokenArguments | null {
  const values = decodeArguments(template, encoded) as readonly [string, string, bigint, Hex] | null;
  return values && { name: values[0], symbol: values[1], inventoryRaw: values[2], initializer: lowerHex(values[3]) };
}

export function decodeInventoryHookArguments(template: ContractTemplate, encoded: Hex): InventoryHookArguments | null {
  const values = decodeArguments(template, encoded) as readonly [FeeConfig, Hex, number, Hex] | null;
  return (
    values && {
      config: feeConfigOf(values[0]),
      token: lowerHex(values[1]),
      tickSpacing: values[2],
      initializer: lowerHex(values[3]),
    }
  );
}
