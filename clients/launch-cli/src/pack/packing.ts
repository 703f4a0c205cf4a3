import { getLaunchCapabilities } from '@launch/api-client';
import { LAUNCH_CAPABILITIES_MEMBERS, sentLaunch, type SentLaunch } from '@launch/client-core/binding';
import {
  anyCustomLaunchRequestSchema,
  type CustomLaunchPackConfig,
  customLaunchPackConfigSchema,
  type CustomLaunchPackReport,
} from '@launch/contracts/custom-launch';
import { type CustomLaunchContext, customLaunchContextSchema } from '@launch/contracts/launch';
import { planDigest, planRequestSchema } from '@launch/contracts/plans';
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
  type PlanPackReport,
  type PlanChoice,
} from '@launch/multi-role/custom-launch';
import type { Options, World } from '../command.js';
import { LaunchError } from '../launch.error.js';
import { ask, openService, patienceOf, requireBound } from '../service.js';

/** Defined by the build. */
declare const INVENTORY_MATERIAL: InventoryMaterial;

export const CODE = 'MULTI_ROLE_PACK_CONFIG_INVALID';
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
  const context = options['context'] === undefined ? await published(options, world) : ownContext(options['context']);
  return { config, context, material: world.material ?? INVENTORY_MATERIAL };
}

const reportAttempts =
  (world: World) =>
  (attempts: number): void =>
    world.progress(`${attempts} salts tried`);

/** A packed request with the context that it was packed for. */
type Packed<Of> = Of & { readonly context: CustomLaunchContext };

/** Packs a custom launch. @throws {LaunchError | PackError} */
export async function packFrom(options: Options, world: World): Promise<Packed<PackedCustomLaunch>> {
  const { config, context, material } = await packingOf(options, world);
  return { ...(await packCustomLaunch(config, context, material, reportAttempts(world))), context };
}

/** Packs the launch as a plan. @throws {LaunchError | PackError} */
export async function packPlanFrom(options: Options, choice: PlanChoice, world: World): Promise<Packed<PackedPlan>> {
  const { config, context, material } = await packingOf(options, world);
  return { ...(await packPlan(config, context, material, choice, reportAttempts(world))), context };
}

/** Reads the context that `--context` names. @throws {LaunchError | PackError} */
export const ownContext = (file: string): CustomLaunchContext =>
  validateDocument(
    customLaunchContextSchema,
    parseDocument(readInput(file, '--context', MAX_CONTEXT_BYTES), CODE, '--context'),
    CODE,
  );

/** Reads the context that the service publishes. @throws {LaunchError | PackError} */
export async function published(options: Options, world: World): Promise<CustomLaunchContext> {
  const capabilities = await ask(openService(world), getLaunchCapabilities, {}, patienceOf(options, world));
  requireBound(LAUNCH_CAPABILITIES_MEMBERS, capabilities, undefined);
  const { context } = capabilities.value;
  if (context === null)
    throw new LaunchError('LAUNCH_CLI_GATES_CLOSED', 'the service publishes no context of custom launches');
  return validateDocument(customLaunchContextSchema, context.document, CODE);
}

/** A request as it is sent: the packed bytes, and the values that responses repeat. */
export interface Repacked {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly idempotencyKey: string;
  readonly report: CustomLaunchPackReport | PlanPackReport;
  readonly sent: SentLaunch;
}

/**
 * Packs the config again and compares the file with the result.
 * @throws {LaunchError} `LAUNCH_CLI_BYTES_DIFFER` if the bytes differ.
 */
export async function repack(options: Options, world: World): Promise<Repacked> {
  const bytes = readInput(options['file']!, '<file>');
  const { report, context } = asPacked(bytes, await packFrom(options, world));
  const request = validateDocument(anyCustomLaunchRequestSchema, parseDocument(bytes, CODE, '<file>'), CODE);
  return repacked(bytes, report, sentLaunch(request, { ...report, router: context.chainBindings.router }));
}

const choiceSchema = planRequestSchema.pick({ mode: true, predecessor: true });

/** Packs a plan again with the mode and predecessor of the file, and compares the bytes. */
export async function repackPlan(options: Options, world: World): Promise<Repacked> {
  const bytes = readInput(options['file']!, '<file>');
  const document = parseDocument(bytes, CODE, '<file>');
  const { mode, predecessor } = document as Readonly<Record<string, unknown>>;
  const choice = validateDocument(choiceSchema, { mode, predecessor }, CODE);
  const { report, context } = asPacked(bytes, await packPlanFrom(options, choice, world));
  const request = validateDocument(planRequestSchema, document, CODE);
  const known = { ...report, planDigest: planDigest(request), router: context.chainBindings.router };
  return repacked(bytes, report, sentLaunch(request, known));
}

const repacked = (bytes: Uint8Array, report: Repacked['report'], sent: SentLaunch): Repacked => ({
  bytes: new Uint8Array(bytes),
  idempotencyKey: report.idempotencyKey,
  report,
  sent,
});

function asPacked<Of extends { readonly bytes: Uint8Array }>(bytes: Uint8Array, packed: Of): Of {
  if (!Buffer.from(bytes).equals(packed.bytes))
    throw new LaunchError('LAUNCH_CLI_BYTES_DIFFER', '<file> is not what --config packs to; pack it again');
  return packed;
}
