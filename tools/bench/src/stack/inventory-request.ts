import { readFile } from 'node:fs/promises';
import { createRequestSchema, type CreateRequest } from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import { buildInventoryRequest, inventoryInputOf } from '@launch/multi-role';
import { inventoryMaterial } from '@launch/start';
import { offlineLaunch } from './reference-requests.js';

const read = (path: string): Promise<Buffer> => readFile(new URL(`../../../../${path}`, import.meta.url));

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
  const { bytes } = await buildInventoryRequest(input, await inventoryMaterial());
  return createRequestSchema.parse(parseStrictJson(bytes));
}
