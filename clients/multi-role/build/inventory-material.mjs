/** Reads the parts of the inventory recipe that programs contain. Needs `solidity/artifacts` (node solidity/compile.mjs). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const INVENTORY_CONTRACTS = {
  initializer: 'InventoryInitializer',
  token: 'InventoryToken',
  hook: 'InventoryHook',
};

/** @param {string} repository root of the tree */
export function readInventoryMaterial(repository) {
  const readText = (name) => readFileSync(join(repository, 'solidity/artifacts', name), 'utf8');
  const standardJsonInput = readText('inventory-standard-json.json');
  const creationCodes = Object.fromEntries(
    Object.entries(INVENTORY_CONTRACTS).map(([part, name]) => [
      part,
      JSON.parse(readText(`${name}.json`)).creationCode,
    ]),
  );
  return { material: { standardJsonInput, creationCodes }, notices: JSON.parse(readText('inventory-notices.json')) };
}
