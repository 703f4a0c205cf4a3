import { canonicalizeJson } from '@launch/contracts/json';
import { inertPackConfigSchema, type InertPackConfig, type PackReport } from '@launch/contracts/multi-role';
import { LIMITS, timestampSchema } from '@launch/contracts/primitives';
import { launchCommitments } from '@launch/evm';
import { z } from 'zod';
import { parseOptions, type CommandShape } from '@launch/client-core/command';
import { readImageFile } from '../launch-options/image-file.js';
import { LIVE_HELP, LIVE_OPTIONS, readLiveOptions } from '../launch-options/live-options.js';
import {
  PROJECT_HELP,
  PROJECT_OPTIONS,
  readProjectOptions,
  type TypedProject,
} from '../launch-options/project-options.js';
import { readPublishedContext } from '../launch-options/published-context.js';
import type { BuilderVoice } from '../numbers/builder-voice.js';
import { native20Numbers, withNative20Numbers } from '../numbers/native20-numbers.js';
import { NUMBER_HELP, NUMBER_OPTIONS, readNumberOptions } from '../numbers/number-options.js';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { OptionReader } from '../offline/option-reader.js';
import { PackError } from '../offline/pack.error.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';
import { inertConfigOf, isReferenceCase, referenceTooLarge } from '../packer/inert-config.js';
import { packRequest, tooLargeError } from '../packer/pack-request.js';
import { buildPackConfig } from './build-pack-config.js';
import { instantOf } from './launch-source.js';
import { DEFAULT_MAX_ATTEMPTS } from './salt-miner.js';

const HELP = `reference-builder: fills an inert reference configuration for one launch, offline

  node reference-builder.mjs --help
  node reference-builder.mjs --input request-packer-reference.json --case zero|buy
      --capabilities <saved capabilities> --wallet 0x… --request-out <file> [choices]
  node reference-builder.mjs --input <inert config>
      --capabilities <saved capabilities> --wallet 0x… --out <file> [choices]

--case takes one case out of the published reference; without it the input is an inert configuration,
which request-packer.mjs reference writes. --out gets the filled configuration, --request-out the
request that request-packer.mjs pack makes of it; at least one of them is required.
The inert configuration also has the choices without an option: links, ticks and funding.

${LIVE_HELP}${PROJECT_HELP}${NUMBER_HELP}
--checked-at <timestamp> defaults to the start of the window, --max-attempts <n> bounds the mining.
Files are created new (mode 0600). No network, environment or credential is read.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.
`;

const SHAPE: CommandShape = {
  required: ['input', ...LIVE_OPTIONS.required],
  optional: [
    ...['case', 'out', 'request-out', 'checked-at', 'max-attempts'],
    ...LIVE_OPTIONS.optional,
    ...PROJECT_OPTIONS,
    ...NUMBER_OPTIONS,
  ],
};

/** Runs the builder once. Returns its help or its report. @throws {PackError} */
export async function runBuilder(argv: readonly string[], voice: BuilderVoice): Promise<unknown> {
  if (argv.length === 1 && argv[0] === '--help') return HELP;
  const parsed = parseOptions('reference-builder', argv, SHAPE);
  if (!parsed.ok) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', parsed.findings);
  const { options } = parsed;
  const { live, project } = readChoices(options);
  const typed = readNumberOptions(options);
  const chosen = withProject(readInert(options), project, options['image']);
  const context = readPublishedContext(options['capabilities']!);
  const numbers = native20Numbers(chosen, typed);
  const inert = withNative20Numbers(chosen, numbers);
  const { name, symbol } = inert.projectMetadata;
  const built = await buildPackConfig(inert, { ...live, context, name, symbol, onProgress: voice.mining });
  const bytes = canonicalizeJson(built.config);
  // The builder refuses everything that the packer would refuse, before it writes a file.
  const packed = packRequest(bytes);
  if (options['out'] !== undefined) writeNewFile(options['out'], '--out', bytes);
  if (options['request-out'] !== undefined) writeNewFile(options['request-out'], '--request-out', packed.bytes);
  voice.numbers(numbers);
  const { placed } = built;
  return {
    schemaVersion: 'service.multi-role-reference-builder-report.v2',
    case: inert.case,
    token: placed.account,
    hook: placed.account,
    feeVault: placed.vault,
    poolId: placed.poolId,
    salt: built.config.graphBundle.components[0]!.salt,
    attempts: built.attempts,
    contextHash: packed.report.contextHash,
    artifactHash: packed.report.artifactHash,
    onchainLaunchId: launchCommitments(built.config).onchainLaunchId,
    ...(options['request-out'] === undefined ? {} : requestMembers(packed.report)),
    productionAuthority: false,
    walletSigning: false,
  };
}

/** Returns what the report says of a written request. */
const requestMembers = ({ requestSha256, requestHash, idempotencyKey, byteLength }: PackReport): object => ({
  requestSha256,
  requestHash,
  idempotencyKey,
  byteLength,
});

type Options = Readonly<Record<string, string>>;

function readChoices(options: Options) {
  if (options['out'] === undefined && options['request-out'] === undefined)
    throw argument('--out', 'is required, or --request-out');
  const reader = new OptionReader(options);
  const live = readLiveOptions(reader);
  const project = readProjectOptions(reader);
  const checkedAt = reader.read('checked-at', timestampSchema, 'is not an RFC 3339 timestamp with milliseconds');
  const attempts = z.string().regex(/^[1-9][0-9]{0,8}$/);
  const maxAttempts = reader.read('max-attempts', attempts, 'is not a number from 1 to 999999999');
  reader.requireValid();
  return {
    live: {
      ...live,
      checkedAt: checkedAt ?? instantOf(live.validAfter.toString()),
      maxAttempts: Number(maxAttempts ?? DEFAULT_MAX_ATTEMPTS),
    },
    project,
  };
}

const argument = (path: string, message: string): PackError =>
  new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', [{ path, message }]);

/** Reads the inert configuration: a case of the published reference, or a file of its own. */
function readInert({ input, case: chosen }: Options): InertPackConfig {
  if (chosen !== undefined) {
    if (!isReferenceCase(chosen)) throw argument('--case', 'is zero or buy');
    return inertConfigOf(readBoundedFile(input!, '--input', LIMITS.requestBytes, referenceTooLarge()), chosen);
  }
  const code = 'MULTI_ROLE_PACK_CONFIG_INVALID';
  const bytes = readBoundedFile(input!, '--input', LIMITS.requestBytes, tooLargeError());
  return validateDocument(inertPackConfigSchema, parseDocument(bytes, code), code);
}

/** Replaces the file's choices by the typed ones, and its image by the launcher's, declared from its bytes. */
function withProject(
  inert: InertPackConfig,
  { metadata, fees }: TypedProject,
  imageFile: string | undefined,
): InertPackConfig {
  const chosen = {
    ...inert,
    project: { ...inert.project, parameters: { ...inert.project.parameters, ...fees } },
    projectMetadata: { ...inert.projectMetadata, ...metadata },
  };
  if (imageFile === undefined) return chosen;
  const image = readImageFile(imageFile);
  const { additionalFiles, imagePath: replaced } = inert.source;
  const others = additionalFiles.filter(({ path }) => path !== replaced);
  return {
    ...chosen,
    source: {
      ...inert.source,
      imagePath: image.path,
      additionalFiles: [...others, { path: image.path, base64: image.base64 }],
    },
    projectMetadata: { ...chosen.projectMetadata, image: image.declaration },
  };
}
