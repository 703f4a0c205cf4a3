import {
  type CustomLaunchPackConfig,
  customLaunchPackConfigSchema,
  type CustomLaunchPackReport,
} from '@launch/contracts/custom-launch';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import { encodeBase64 } from '@launch/contracts/primitives';
import {
  draftConfig as draft,
  packCustomLaunch as pack,
  packPlan as packAsPlan,
  validateDocument,
  type InventoryMaterial,
  type LaunchChoices,
  type PlanChoice,
  type PlanPackReport,
} from '@launch/multi-role/custom-launch';
import type { CustomLaunchContext, PublishedContext } from '../custom-launch/launch-client.js';
import { packing } from './pack-failure.js';

/** The reviewed contracts, defined by the build. */
declare const INVENTORY_MATERIAL: InventoryMaterial;

const INVALID = 'MULTI_ROLE_PACK_CONFIG_INVALID';

/** The choices of a launcher, with the image as it is in its file. */
export interface CustomLaunchChoices extends Omit<LaunchChoices, 'image'> {
  /** A PNG or GIF, and its path among the sources. */
  readonly image: { readonly path: string; readonly bytes: Uint8Array };
}

/** The exact bytes of a request, with the packer's report and the router that its transaction calls. */
export interface PackedCustomLaunch {
  readonly bytes: Uint8Array;
  readonly report: CustomLaunchPackReport;
  readonly router: string;
}

/** The exact bytes of a plan, with the packer's report and the router that its last transaction calls. */
export interface PackedPlan {
  readonly bytes: Uint8Array;
  readonly report: PlanPackReport;
  readonly router: string;
}

/**
 * Drafts the config of a launch from the published context and your choices: a random nonce, a permit window of half an hour, and
 * defaults for liquidity, fees, buy and budgets. Review it and change what you want before you pack it.
 * @throws {LaunchClientError}
 */
export function draftConfig(
  published: Omit<PublishedContext, 'document'>,
  { image, ...choices }: CustomLaunchChoices,
): Promise<CustomLaunchPackConfig> {
  return packing(() =>
    draft(published, { ...choices, image: { path: image.path, base64: encodeBase64(image.bytes) } }),
  );
}

/**
 * Packs a custom launch into the exact bytes of its request, as `launch pack` does. Pure: the same config always packs to the same
 * bytes.
 * @param context the document whose hash the config names
 * @throws {LaunchClientError} with all findings of the first stage that has any
 */
export function packCustomLaunch(
  config: CustomLaunchPackConfig,
  context: CustomLaunchContext,
  onProgress?: (attempts: number) => void,
): Promise<PackedCustomLaunch> {
  return packing(async () => ({
    ...(await pack(configOf(config), contextOf(context), INVENTORY_MATERIAL, onProgress)),
    router: context.chainBindings.router,
  }));
}

/**
 * Packs the launch of a config as a plan, as `launch pack --plan` does.
 * @param choice the mode, and the plan that it replaces
 * @throws {LaunchClientError} as `packCustomLaunch`
 */
export function packPlan(
  config: CustomLaunchPackConfig,
  context: CustomLaunchContext,
  choice: PlanChoice,
  onProgress?: (attempts: number) => void,
): Promise<PackedPlan> {
  return packing(async () => ({
    ...(await packAsPlan(configOf(config), contextOf(context), INVENTORY_MATERIAL, choice, onProgress)),
    router: context.chainBindings.router,
  }));
}

const configOf = (config: CustomLaunchPackConfig): CustomLaunchPackConfig =>
  validateDocument(customLaunchPackConfigSchema, config, INVALID);

const contextOf = (context: CustomLaunchContext) => validateDocument(customLaunchContextSchema, context, INVALID);
