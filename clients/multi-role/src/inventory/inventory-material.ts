import { INVENTORY_TEMPLATE_SET, inventoryTemplates, type Hex } from '@launch/evm';
import { keccak256 } from 'viem/utils';

/**
 * The parts that every inventory launch submits unchanged. The build puts them into the program, from the compiled contracts.
 */
export interface InventoryMaterial {
  /** The exact Standard JSON input of the three contracts. */
  readonly standardJsonInput: string;
  /** Creation codes without constructor arguments. */
  readonly creationCodes: { readonly initializer: Hex; readonly token: Hex; readonly hook: Hex };
}

/** @throws {TypeError} if the reviewed templates were derived from other material, which is a fault of the build. */
export function requireReviewedMaterial({ creationCodes }: InventoryMaterial): void {
  const templates = inventoryTemplates(INVENTORY_TEMPLATE_SET);
  for (const part of ['initializer', 'token', 'hook'] as const) {
    if (keccak256(creationCodes[part]) !== templates[part].creationCodeHash)
      throw new TypeError(`the ${part} is not the reviewed one`);
  }
}
