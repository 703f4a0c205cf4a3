import { getLaunchCapabilities } from '@launch/api-client';
import {
  customLaunchContextSchema,
  customLaunchPackConfigSchema,
  LIMITS,
  type CustomLaunchContext,
  type CustomLaunchPackConfig,
} from '@launch/contracts';
import {
  packCustomLaunch,
  parseDocument,
  readBoundedFile,
  validateDocument,
  type InventoryMaterial,
  type PackedCustomLaunch,
} from '@launch/multi-role/custom-launch';
import type { Options, World } from '../command.js';
import { LaunchError } from '../launch.error.js';
import { ask, openService } from '../service.js';

/** Put here by the build. */
declare const INVENTORY_MATERIAL: InventoryMaterial;

const CODE = 'MULTI_ROLE_PACK_CONFIG_INVALID';
const MAX_CONTEXT_BYTES = 65_536;

const tooLarge = (option: string, bytes: number): LaunchError =>
  new LaunchError('LAUNCH_CLI_FILE_FAILED', `${option} is larger than ${bytes} bytes`);

/** A file that the command is given, whole. @throws {LaunchError | PackError} */
export const readInput = (file: string, option: string, maxBytes: number = LIMITS.requestBytes): Uint8Array =>
  readBoundedFile(file, option, maxBytes, tooLarge(option, maxBytes));

/**
 * Packs the config that `--config` names. The context is that of `--context`, else the one that the service publishes;
 * either must be the one whose hash the config has.
 * @throws {LaunchError | PackError}
 */
export async function packFrom(options: Options, world: World): Promise<PackedCustomLaunch> {
  const config: CustomLaunchPackConfig = validateDocument(
    customLaunchPackConfigSchema,
    parseDocument(readInput(options['config']!, '--config'), CODE),
    CODE,
  );
  const context = options['context'] === undefined ? await published(world) : ownContext(options['context']);
  return packCustomLaunch(config, context, world.material ?? INVENTORY_MATERIAL, (attempts) =>
    world.progress(`${attempts} salts tried`),
  );
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
    throw new LaunchError('LAUNCH_CLI_GATES_CLOSED', 'the service publishes no context of V4 launches');
  return validateDocument(customLaunchContextSchema, context.document, CODE);
}

/**
 * What a file and its config pack to, which must be the same bytes.
 * @throws {LaunchError} `LAUNCH_CLI_BYTES_DIFFER` for a file of other bytes.
 */
export async function repack(options: Options, world: World): Promise<PackedCustomLaunch> {
  const bytes = readInput(options['file']!, '<file>');
  const packed = await packFrom(options, world);
  if (!Buffer.from(bytes).equals(packed.bytes))
    throw new LaunchError('LAUNCH_CLI_BYTES_DIFFER', '<file> is not what --config packs to; pack it again');
  return packed;
}
