import { getLaunchCapabilities } from '@launch/api-client';
import { type CustomLaunchPackConfig, customLaunchPackConfigSchema } from '@launch/contracts/custom-launch';
import { type CustomLaunchContext, customLaunchContextSchema } from '@launch/contracts/launch';
import { planRequestSchema } from '@launch/contracts/plans';
import { LIMITS } from '@launch/contracts/primitives';
import {
  packCustomLaunch,
  packPlan,
  parseDocument,
  readBoundedFile,
  validateDocument,
  type InventoryMaterial,
  type PackedCustomLaunch,
  type PackedPlan,
  type PlanChoice,
} from '@launch/multi-role/custom-launch';
import type { Options, World } from '../command.js';
import { LaunchError } from '../launch.error.js';
import { ask, openService } from '../service.js';

/** Defined by the build. */
declare const INVENTORY_MATERIAL: InventoryMaterial;

const CODE = 'MULTI_ROLE_PACK_CONFIG_INVALID';
const MAX_CONTEXT_BYTES = 65_536;

const tooLarge = (option: string, bytes: number): LaunchError =>
  new LaunchError('LAUNCH_CLI_FILE_FAILED', `${option} is larger than ${bytes} bytes`);

/** Reads a whole file that an option names. @throws {LaunchError | PackError} */
export const readInput = (file: string, option: string, maxBytes: number = LIMITS.requestBytes): Uint8Array =>
  readBoundedFile(file, option, maxBytes, tooLarge(option, maxBytes));

/** The inputs of a packed request. */
interface Packing {
  readonly config: CustomLaunchPackConfig;
  readonly context: CustomLaunchContext;
  readonly material: InventoryMaterial;
}

/**
 * Reads the config that `--config` names. The context is that of `--context`, else the published one. Packing refuses a context
 * whose hash differs from the config's.
 * @throws {LaunchError | PackError}
 */
async function packingOf(options: Options, world: World): Promise<Packing> {
  const config: CustomLaunchPackConfig = validateDocument(
    customLaunchPackConfigSchema,
    parseDocument(readInput(options['config']!, '--config'), CODE),
    CODE,
  );
  const context = options['context'] === undefined ? await published(world) : ownContext(options['context']);
  return { config, context, material: world.material ?? INVENTORY_MATERIAL };
}

const reportAttempts =
  (world: World) =>
  (attempts: number): void =>
    world.progress(`${attempts} salts tried`);

/** Packs a custom launch. @throws {LaunchError | PackError} */
export async function packFrom(options: Options, world: World): Promise<PackedCustomLaunch> {
  const { config, context, material } = await packingOf(options, world);
  return packCustomLaunch(config, context, material, reportAttempts(world));
}

/** Packs the launch as a plan. @throws {LaunchError | PackError} */
export async function packPlanFrom(options: Options, choice: PlanChoice, world: World): Promise<PackedPlan> {
  const { config, context, material } = await packingOf(options, world);
  return packPlan(config, context, material, choice, reportAttempts(world));
}

const ownContext = (file: string): CustomLaunchContext =>
  validateDocument(
    customLaunchContextSchema,
    parseDocument(readInput(file, '--context', MAX_CONTEXT_BYTES), CODE, '--context'),
    CODE,
  );

async function published(world: World): Promise<CustomLaunchContext> {
  const { context } = (await ask(openService(world), getLaunchCapabilities, {})).value;
  if (context === null)
    throw new LaunchError('LAUNCH_CLI_GATES_CLOSED', 'the service publishes no context of custom launches');
  return validateDocument(customLaunchContextSchema, context.document, CODE);
}

/**
 * Packs the config again and compares the file with the result.
 * @throws {LaunchError} `LAUNCH_CLI_BYTES_DIFFER` if the bytes differ.
 */
export async function repack(options: Options, world: World): Promise<PackedCustomLaunch> {
  const bytes = readInput(options['file']!, '<file>');
  return asPacked(bytes, await packFrom(options, world));
}

const choiceSchema = planRequestSchema.pick({ mode: true, predecessor: true });

/** Packs a plan again with the mode and predecessor of the file, and compares the bytes. */
export async function repackPlan(options: Options, world: World): Promise<PackedPlan> {
  const bytes = readInput(options['file']!, '<file>');
  const { mode, predecessor } = parseDocument(bytes, CODE, '<file>') as Readonly<Record<string, unknown>>;
  const choice = validateDocument(choiceSchema, { mode, predecessor }, CODE);
  return asPacked(bytes, await packPlanFrom(options, choice, world));
}

function asPacked<Packed extends { readonly bytes: Uint8Array }>(bytes: Uint8Array, packed: Packed): Packed {
  if (!Buffer.from(bytes).equals(packed.bytes))
    throw new LaunchError('LAUNCH_CLI_BYTES_DIFFER', '<file> is not what --config packs to; pack it again');
  return packed;
}
