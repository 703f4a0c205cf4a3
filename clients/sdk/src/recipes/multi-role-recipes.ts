import { canonicalizeJson, type JsonValue } from '@launch/contracts/json';
import type {
  InertPackConfig,
  InventoryCase,
  InventoryProjectInput,
  PackConfig,
  ReferenceCase,
} from '@launch/contracts/multi-role';
import {
  buildInventoryRequest as buildInventory,
  buildPackConfig as build,
  inertConfigOf as inertOf,
  inventoryInputOf as inputOf,
  packRequest as pack,
  type BuiltConfig,
  type BuiltInventoryRequest,
  type InventoryMaterial,
  type LaunchInputs,
  type LiveInventoryInputs,
  type PackedRequest,
} from '@launch/multi-role';
import { packing } from './pack-failure.js';

/** The reviewed contracts, defined by the build. */
declare const INVENTORY_MATERIAL: InventoryMaterial;

/**
 * Packs a complete configuration into the exact bytes of a multi-role request, as `request-packer pack` does.
 * @throws {LaunchClientError} with all findings of the first stage that has any
 */
export const packRequest = (config: PackConfig | Uint8Array): Promise<PackedRequest> =>
  packing(() => pack(config instanceof Uint8Array ? config : canonicalizeJson(config as unknown as JsonValue)));

/** Reads one case of `request-packer-reference.json`, which the service publishes. @throws {LaunchClientError} */
export const inertConfigOf = (reference: Uint8Array, chosen: ReferenceCase): Promise<InertPackConfig> =>
  packing(() => inertOf(reference, chosen));

/** Completes a Native20 case for one launch, as `reference-builder` does. @throws {LaunchClientError} */
export const buildPackConfig = (inert: InertPackConfig, inputs: LaunchInputs): Promise<BuiltConfig> =>
  packing(() => build(inert, inputs));

/** Reads one case of `inventory-projects.json`, which the service publishes. @throws {LaunchClientError} */
export const inventoryInputOf = (
  projects: Uint8Array,
  chosen: InventoryCase,
  live: LiveInventoryInputs,
): Promise<InventoryProjectInput> => packing(() => inputOf(projects, chosen, live));

/** Builds and packs an inventory launch, as `inventory-builder` does. @throws {LaunchClientError} */
export const buildInventoryRequest = (
  input: InventoryProjectInput,
  onProgress?: (attempts: number) => void,
): Promise<BuiltInventoryRequest> => packing(() => buildInventory(input, INVENTORY_MATERIAL, onProgress));
