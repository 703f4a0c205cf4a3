import { readFile } from 'node:fs/promises';
import { parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { buildInventoryRequest, inventoryInputOf } from '@launch/multi-role';
import { inventoryMaterial } from '@launch/start';
import { offlineLaunch, type FreshLaunch } from './reference-requests.js';

const read = (path: string): Promise<Buffer> => readFile(new URL(`../../../../${path}`, import.meta.url));

/** A request of the published inventory project: three components of one compilation unit. */
export async function packInventory({ context, wallet, nonce, permitWindow }: FreshLaunch): Promise<CreateRequest> {
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

/** Packs the same request without a chain. */
export const packInventoryOffline = (): Promise<CreateRequest> => packInventory(offlineLaunch());
