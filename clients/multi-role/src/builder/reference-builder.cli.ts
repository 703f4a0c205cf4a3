import { canonicalizeJson, type JsonObject, type JsonValue } from '@launch/contracts/json';
import {
  capabilitiesSchema,
  contextSchema,
  inertPackConfigSchema,
  type InertPackConfig,
  type LaunchContext,
} from '@launch/contracts/multi-role';
import { addressSchema, LIMITS, timestampSchema, uint256Schema, unixSecondsSchema } from '@launch/contracts/primitives';
import { launchCommitments, type Hex } from '@launch/evm';
import { IMAGE_LIMITS } from '@launch/images';
import { z } from 'zod';
import { parseOptions, type CommandShape } from '@launch/client-core/command';
import type { BuilderVoice } from '../numbers/builder-voice.js';
import { native20Numbers, withNative20Numbers } from '../numbers/native20-numbers.js';
import { NUMBER_HELP, NUMBER_OPTIONS, readNumberOptions } from '../numbers/number-options.js';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { PackError, type PackFinding } from '../offline/pack.error.js';
import { parseDocument, parseWith, validateDocument } from '../offline/strict-document.js';
import { packRequest, tooLargeError } from '../packer/pack-request.js';
import { buildPackConfig } from './build-pack-config.js';
import { describeImage } from './launch-image.js';
import { instantOf } from './launch-source.js';
import { DEFAULT_MAX_ATTEMPTS } from './salt-miner.js';

const HELP = `reference-builder: fills an inert reference configuration for one launch, offline

  node reference-builder.mjs --input <inert config> --capabilities <saved capabilities>
      --wallet 0x… --nonce <n> --valid-after <unix seconds> --deadline <unix seconds> --out <file>
      [--creator-recipient 0x…] [--name <text>] [--symbol <text>] [--image <PNG or GIF>]
      [--supply '<n> tokens'] [--slippage-bps <n>] [--checked-at <timestamp>] [--max-attempts <n>]

The creator's fees go to the wallet unless another recipient is given. Everything else that is
yours to choose stands in the inert configuration: projectMetadata (description, links),
project.parameters (supply, ticks, fees in basis points) and funding. The same arguments give
the same configuration; --checked-at defaults to the start of the window.

${NUMBER_HELP}
The file is created new (mode 0600). No network, environment or credential is read.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.
`;

const SHAPE: CommandShape = {
  required: ['input', 'capabilities', 'wallet', 'nonce', 'valid-after', 'deadline', 'out'],
  optional: ['creator-recipient', 'name', 'symbol', 'image', 'checked-at', 'max-attempts', ...NUMBER_OPTIONS],
};

const CAPABILITIES_BYTES = 1024 * 1024;

/** Runs the builder once. Returns its help or its report. @throws {PackError} */
export async function runBuilder(argv: readonly string[], voice: BuilderVoice): Promise<unknown> {
  if (argv.length === 1 && argv[0] === '--help') return HELP;
  const parsed = parseOptions('reference-builder', argv, SHAPE);
  if (!parsed.ok) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', parsed.findings);
  const { options } = parsed;
  const live = readLive(options);
  const typed = readNumberOptions(options);
  const inertBytes = readBoundedFile(options['input']!, '--input', LIMITS.requestBytes, tooLargeError());
  const chosen = withImage(
    validateDocument(
      inertPackConfigSchema,
      parseDocument(inertBytes, 'MULTI_ROLE_PACK_CONFIG_INVALID'),
      'MULTI_ROLE_PACK_CONFIG_INVALID',
    ),
    options['image'],
  );
  const context = readContext(options['capabilities']!);
  const numbers = native20Numbers(chosen, typed);
  const inert = withNative20Numbers(chosen, numbers);
  const built = await buildPackConfig(inert, {
    ...live,
    context,
    name: options['name'] ?? inert.projectMetadata.name,
    symbol: options['symbol'] ?? inert.projectMetadata.symbol,
    onProgress: voice.mining,
  });
  const bytes = canonicalizeJson(built.config);
  // The builder refuses everything that the packer would refuse, before it writes a file.
  const { report } = packRequest(bytes);
  writeNewFile(options['out']!, '--out', bytes);
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
    contextHash: report.contextHash,
    artifactHash: report.artifactHash,
    onchainLaunchId: launchCommitments(built.config).onchainLaunchId,
    productionAuthority: false,
    walletSigning: false,
  };
}

type Options = Readonly<Record<string, string>>;

function readLive(options: Options) {
  const findings: PackFinding[] = [];
  const read = (name: string, schema: z.ZodType<string>, fallback: string, message: string): string => {
    const result = parseWith(schema, options[name] ?? fallback);
    if (result.ok) return result.value;
    // A failing fallback is the value of another option, which has its own finding.
    if (options[name] !== undefined) findings.push({ path: `--${name}`, message });
    return fallback;
  };
  const wallet = read('wallet', z.string().toLowerCase().pipe(addressSchema), '', 'is not an address');
  const seconds = 'is not a time in unix seconds';
  const validAfter = read('valid-after', unixSecondsSchema, '0', seconds);
  const inputs = {
    wallet: wallet as Hex,
    creatorRecipient: read(
      'creator-recipient',
      z.string().toLowerCase().pipe(addressSchema),
      wallet,
      'is not an address',
    ) as Hex,
    nonce: BigInt(read('nonce', uint256Schema, '0', 'is not a nonce')),
    validAfter: BigInt(validAfter),
    deadline: BigInt(read('deadline', unixSecondsSchema, '0', seconds)),
    checkedAt: read(
      'checked-at',
      timestampSchema,
      instantOf(validAfter),
      'is not an RFC 3339 timestamp with milliseconds',
    ),
    maxAttempts: Number(
      read(
        'max-attempts',
        z.string().regex(/^[1-9][0-9]{0,8}$/),
        String(DEFAULT_MAX_ATTEMPTS),
        'is not a number from 1 to 999999999',
      ),
    ),
  };
  if (findings.length > 0) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', findings);
  return inputs;
}

/** Replaces the reference's image with the launcher's, declared from its bytes. */
function withImage(inert: InertPackConfig, file: string | undefined): InertPackConfig {
  if (file === undefined) return inert;
  const tooLarge = new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', [
    { path: '--image', message: 'is larger than an image may be' },
  ]);
  const bytes = readBoundedFile(file, '--image', IMAGE_LIMITS.bytes, tooLarge);
  const image = describeImage(bytes, '--image');
  const { additionalFiles, imagePath: replaced } = inert.source;
  const imagePath = `assets/image.${image.mediaType === 'image/gif' ? 'gif' : 'png'}`;
  const others = additionalFiles.filter(({ path }) => path !== replaced);
  return {
    ...inert,
    source: {
      ...inert.source,
      imagePath,
      additionalFiles: [...others, { path: imagePath, base64: Buffer.from(bytes).toString('base64') }],
    },
    projectMetadata: { ...inert.projectMetadata, image },
  };
}

/**
 * Reads the published context from a capabilities document (saved by `--save-response` or printed by the client), or from a
 * file with the context alone. Refuses a deployment that is not ready.
 */
function readContext(file: string): LaunchContext {
  const tooLarge = new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', [
    { path: '--capabilities', message: 'is larger than a capabilities document' },
  ]);
  const code = 'MULTI_ROLE_PACK_CONFIG_INVALID';
  const document = parseDocument(
    readBoundedFile(file, '--capabilities', CAPABILITIES_BYTES, tooLarge),
    code,
    '--capabilities',
  );
  const value = isObject(document) ? (document['response'] ?? document) : document;
  if (!isObject(value) || !('readiness' in value)) return validateDocument(contextSchema, value, code);
  const capabilities = validateDocument(capabilitiesSchema, value, code);
  if (capabilities.context === null || capabilities.readiness.status !== 'ready') {
    throw new PackError(code, [{ path: '--capabilities', message: 'the deployment is not ready for launches' }]);
  }
  return capabilities.context;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
