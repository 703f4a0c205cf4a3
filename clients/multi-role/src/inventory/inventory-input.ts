import { inventoryProjectsSchema, type InventoryCase, type InventoryProjectInput } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { parseDocument, validateDocument } from '../offline/strict-document.js';

/** The live values that an inert case leaves `null`. */
export interface LiveInventoryInputs extends Pick<
  InventoryProjectInput,
  'context' | 'launchWallet' | 'nonce' | 'permitWindow'
> {
  readonly creatorRecipient: Hex;
}

/**
 * Returns one case of the published projects with all live values.
 *
 * @throws {PackError} `MULTI_ROLE_PACK_REFERENCE_INVALID`.
 */
export function inventoryInputOf(
  projectsBytes: Uint8Array,
  chosen: InventoryCase,
  { creatorRecipient, ...live }: LiveInventoryInputs,
): InventoryProjectInput {
  const code = 'MULTI_ROLE_PACK_REFERENCE_INVALID';
  const { cases } = validateDocument(inventoryProjectsSchema, parseDocument(projectsBytes, code), code);
  return { ...cases[chosen], ...live, parameters: { ...cases[chosen].parameters, creatorRecipient } };
}
