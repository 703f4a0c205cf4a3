import { readFile } from 'node:fs/promises';
import { createRequestSchema, type CreateRequest } from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import type { Hex } from '@launch/evm';
import { buildInventoryRequest, inventoryInputOf, type InventoryMaterial } from '@launch/multi-role';
import { offlineLaunch } from './reference-requests.js';

const read = (path: string): Promise<Buffer> => readFile(new URL(`../../../../${path}`, import.meta.url));
const artifact = async (name: string): Promise<string> =>
  (await read(`solidity/artifacts/${name}.json`)).toString('utf8');
const creationCode = async (contract: string): Promise<Hex> =>
  (JSON.parse(await artifact(contract)) as { creationCode: Hex }).creationCode;

/** What the published builder carries. */
async function material(): Promise<InventoryMaterial> {
  return {
    standardJsonInput: await artifact('inventory-standard-json'),
    creationCodes: {
      initializer: await creationCode('InventoryInitializer'),
      token: await creationCode('InventoryToken'),
      hook: await creationCode('InventoryHook'),
    },
  };
}

/** A request of the published inventory project: three components of one compilation unit. No chain stands behind it. */
export async function packInventoryOffline(): Promise<CreateRequest> {
  const { context, wallet, nonce, permitWindow } = offlineLaunch();
  const input = inventoryInputOf(await read('clients/multi-role/bundles/inventory-projects.json'), 'cedar', {
    context,
    launchWallet: wallet,
    nonce: nonce.toString(),
    permitWindow,
    creatorRecipient: wallet,
  });
  const { bytes } = await buildInventoryRequest(input, await material());
  return createRequestSchema.parse(parseStrictJson(bytes));
}
