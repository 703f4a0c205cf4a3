import { canonicalizeJson } from '@launch/contracts/json';
import {
  PACK_CONFIG_SCHEMA,
  type InventoryProjectInput,
  type InventoryReport,
  type PackConfig,
} from '@launch/contracts/multi-role';
import { INVENTORY_TEMPLATE_SET, launchCommitments } from '@launch/evm';
import { packRequest } from '../packer/pack-request.js';
import type { InventoryMaterial } from './inventory-material.js';
import { buildLaunchParts, predictedAddressesOf, type LaunchParts } from './launch-parts.js';

/** The bytes of a canonical v2 create request, and the builder's report. */
export interface BuiltInventoryRequest {
  readonly bytes: Uint8Array;
  readonly report: InventoryReport;
}

/**
 * Builds the request of an inventory launch and packs it as the request packer does. The same input gives the same
 * bytes on any machine.
 *
 * @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID` as `buildLaunchParts`, and if the packer refuses the result.
 */
export async function buildInventoryRequest(
  input: InventoryProjectInput,
  material: InventoryMaterial,
  onProgress?: (attempts: number) => void,
): Promise<BuiltInventoryRequest> {
  const { parts, placed, position } = await buildLaunchParts(input, INVENTORY_TEMPLATE_SET, material, onProgress);
  const config = configOf(input, parts);
  const { bytes, report } = packRequest(canonicalizeJson(config));
  return {
    bytes,
    report: {
      ...report,
      predictedAddresses: predictedAddressesOf(placed),
      poolId: placed.poolId,
      onchainLaunchId: launchCommitments(config).onchainLaunchId,
      position: {
        sqrtPriceX96: position.sqrtPriceX96.toString(),
        liquidity: position.liquidity.toString(),
        settledRaw: position.settledRaw.toString(),
        residueRaw: position.residueRaw.toString(),
      },
      miningAttempts: placed.miningAttempts,
    },
  };
}

function configOf({ context, parameters, maxGasCostWei }: InventoryProjectInput, parts: LaunchParts): PackConfig {
  const { initialBuyWei, minimumTokensOut } = parameters;
  return {
    schemaVersion: PACK_CONFIG_SCHEMA,
    context,
    ...parts,
    funding: { totalValueWei: initialBuyWei },
    fundingPlan: { initialBuyWei, minimumTokensOut, nativeLiquidityWei: '0', maxGasCostWei },
  };
}
