import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { InventoryMaterial } from '@launch/multi-role';

const ARTIFACTS = path.resolve(import.meta.dirname, '../../../../solidity/artifacts');

/** Returns the material of the published builder, from the compiled contracts of this checkout. */
export async function inventoryMaterial(): Promise<InventoryMaterial> {
  const artifact = (name: string): Promise<string> => readFile(path.join(ARTIFACTS, `${name}.json`), 'utf8');
  const creationCode = async (contract: string) =>
    (JSON.parse(await artifact(contract)) as { readonly creationCode: `0x${string}` }).creationCode;
  return {
    standardJsonInput: await artifact('inventory-standard-json'),
    creationCodes: {
      initializer: await creationCode('InventoryInitializer'),
      token: await creationCode('InventoryToken'),
      hook: await creationCode('InventoryHook'),
    },
  };
}
