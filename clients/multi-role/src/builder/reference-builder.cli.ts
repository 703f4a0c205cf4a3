import { canonicalizeJson } from '@launch/contracts/json';
import {
  inertPackConfigSchema,
  REFERENCE_CASES,
  type InertPackConfig,
  type PackReport,
  type ReferenceCase,
} from '@launch/contracts/multi-role';
import { LIMITS, timestampSchema } from '@launch/contracts/primitives';
import { launchCommitments } from '@launch/evm';
import { JSON_OPTION, RELEASE, type ProgramDeclaration } from '@launch/client-core/command';
import { readImageFile } from '../launch-options/image-file.js';
import { CAPABILITIES_OPTION, LIVE_OPTIONS, readLiveOptions, WALLET_OPTION } from '../launch-options/live-options.js';
import { PROJECT_OPTIONS, readProjectOptions, type TypedProject } from '../launch-options/project-options.js';
import { readPublishedContext } from '../launch-options/published-context.js';
import type { BuilderVoice } from '../numbers/builder-voice.js';
import { native20Numbers, withNative20Numbers } from '../numbers/native20-numbers.js';
import { NUMBER_HELP, NUMBER_OPTIONS, readNumberOptions } from '../numbers/number-options.js';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { OptionReader } from '../offline/option-reader.js';
import { PackError } from '../offline/pack.error.js';
import { readArguments } from '../offline/read-arguments.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';
import { inertConfigOf, referenceTooLarge } from '../packer/inert-config.js';
import { packRequest, tooLargeError } from '../packer/pack-request.js';
import { buildPackConfig } from './build-pack-config.js';
import { instantOf } from './launch-source.js';
import { DEFAULT_MAX_ATTEMPTS } from './salt-miner.js';

export const REFERENCE_BUILDER: ProgramDeclaration = {
  name: 'reference-builder',
  file: 'reference-builder.mjs',
  version: RELEASE,
  summary: 'an inert reference configuration, filled for one launch, offline',
  options: [JSON_OPTION],
  commands: [
    {
      name: '',
      summary: 'fill an inert reference configuration',
      details: `--case takes one case out of the published reference; without it the input is an inert configuration,
which request-packer.mjs reference writes. At least one of --out and --request-out is required.
The inert configuration also has the choices without an option: links, ticks and funding.
The same arguments with --nonce, --valid-after and --deadline give the same bytes.
${NUMBER_HELP}`,
      options: [
        { name: 'input', value: 'file', summary: 'read the reference or an inert configuration', required: true },
        { ...CAPABILITIES_OPTION, required: true },
        { ...WALLET_OPTION, required: true },
        { name: 'case', value: 'case', summary: 'choose a case of the reference', values: REFERENCE_CASES },
        { name: 'out', value: 'file', summary: 'write the filled configuration to this new file (mode 0600)' },
        { name: 'request-out', value: 'file', summary: 'write the request to this new file (mode 0600)' },
        {
          name: 'checked-at',
          value: 'timestamp',
          summary: 'set the time of the check',
          default: 'the start of the window',
        },
        {
          name: 'max-attempts',
          value: 'n',
          summary: 'bound the mining',
          range: [1, 999_999_999],
          default: String(DEFAULT_MAX_ATTEMPTS),
        },
        ...LIVE_OPTIONS,
        ...PROJECT_OPTIONS,
        ...NUMBER_OPTIONS,
      ],
      examples: [
        '--input request-packer-reference.json --case buy --capabilities capabilities.json --wallet 0x… --request-out request.json',
        '--input inert.json --capabilities capabilities.json --wallet 0x… --out config.json',
      ],
    },
  ],
  details: `Files are created new (mode 0600). No network, environment or credential is read.
A result is one line of JSON; a failure is text on a terminal, else one line of JSON.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.`,
};

/** Runs the builder once. Returns its help or its report. @throws {PackError} */
export async function runBuilder(argv: readonly string[], voice: BuilderVoice): Promise<unknown> {
  const line = readArguments(REFERENCE_BUILDER, argv);
  if (line.kind === 'text') return line.text;
  const { options } = line;
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
  reader.requireValid();
  return {
    live: {
      ...live,
      checkedAt: checkedAt ?? instantOf(live.validAfter.toString()),
      maxAttempts: Number(options['max-attempts'] ?? DEFAULT_MAX_ATTEMPTS),
    },
    project,
  };
}

const argument = (path: string, message: string): PackError =>
  new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', [{ path, message }]);

/** Reads the inert configuration: a case of the published reference, or a file of its own. */
function readInert({ input, case: chosen }: Options): InertPackConfig {
  if (chosen !== undefined) {
    return inertConfigOf(
      readBoundedFile(input!, '--input', LIMITS.requestBytes, referenceTooLarge()),
      chosen as ReferenceCase,
    );
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
