import {
  INVENTORY_CASES,
  inventoryProjectInputSchema,
  type InventoryCase,
  type InventoryProjectInput,
} from '@launch/contracts/multi-role';
import type { JsonValue } from '@launch/contracts/json';
import { LIMITS } from '@launch/contracts/primitives';
import { readImageFile } from '../launch-options/image-file.js';
import { CAPABILITIES_OPTION, LIVE_OPTIONS, readLiveOptions, WALLET_OPTION } from '../launch-options/live-options.js';
import { PROJECT_OPTIONS, readProjectOptions } from '../launch-options/project-options.js';
import { readPublishedContext } from '../launch-options/published-context.js';
import type { BuilderVoice } from '../numbers/builder-voice.js';
import { inventoryNumbers, withInventoryNumbers, withMinimumToCome } from '../numbers/inventory-numbers.js';
import { NUMBER_HELP, NUMBER_OPTIONS, readNumberOptions } from '../numbers/number-options.js';
import { JSON_OPTION, RELEASE, type OptionDeclaration, type ProgramDeclaration } from '@launch/client-core/command';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { OptionReader } from '../offline/option-reader.js';
import { PackError } from '../offline/pack.error.js';
import { readArguments } from '../offline/read-arguments.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';
import { tooLargeError } from '../packer/pack-request.js';
import { buildInventoryRequest } from './build-inventory-request.js';
import { inventoryInputOf } from './inventory-input.js';
import type { InventoryMaterial } from './inventory-material.js';

const OF_A_CASE: readonly OptionDeclaration[] = [
  CAPABILITIES_OPTION,
  WALLET_OPTION,
  ...LIVE_OPTIONS,
  ...PROJECT_OPTIONS,
];

export const INVENTORY_BUILDER: ProgramDeclaration = {
  name: 'inventory-builder',
  file: 'inventory-builder.mjs',
  version: RELEASE,
  summary: 'the create request of an inventory launch, made offline',
  options: [JSON_OPTION],
  commands: [
    {
      name: '',
      summary: 'make the create request of an inventory launch',
      details: `--case takes one case out of the published projects and fills it for the wallet; it needs --capabilities and --wallet.
Without it the input is a complete service.inventory-project-input.v3, and only --supply and --slippage-bps apply.
The output is the canonical request; its report, with the predicted addresses, is printed.
The hook's address is mined on all cores, with progress on stderr, for at most 1048576 tries and one minute.
The same arguments with --nonce, --valid-after and --deadline give the same bytes.
${NUMBER_HELP}`,
      options: [
        { name: 'input', value: 'file', summary: 'read the published projects or a project input', required: true },
        { name: 'out', value: 'file', summary: 'write the request to this new file (mode 0600)', required: true },
        { name: 'case', value: 'case', summary: 'choose a case of the published projects', values: INVENTORY_CASES },
        ...OF_A_CASE,
        ...NUMBER_OPTIONS,
      ],
      examples: [
        '--input inventory-projects.json --case atlas --capabilities capabilities.json --wallet 0x… --out request.json',
        '--input input.json --out request.json',
      ],
    },
  ],
  details: `The file is created new (mode 0600) and never overwritten. Nothing is compiled, signed or sent; no network, environment or
credential is read. A result is one line of JSON; a failure is text on a terminal, else one line of JSON.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.`,
};

/** Runs the builder once. Returns its help or its report. @throws {PackError} */
export async function runInventoryBuilder(
  argv: readonly string[],
  material: InventoryMaterial,
  voice: BuilderVoice,
): Promise<unknown> {
  const line = readArguments(INVENTORY_BUILDER, argv);
  if (line.kind === 'text') return line.text;
  const { options } = line;
  requireOptionsOf(options);
  const typed = readNumberOptions(options);
  const document = options['case'] === undefined ? readInput(options) : (filledCase(options) as unknown as JsonValue);
  const chosen = validateDocument(
    inventoryProjectInputSchema,
    typed.slippageBps === null ? document : withMinimumToCome(document),
    'MULTI_ROLE_PACK_CONFIG_INVALID',
  );
  const numbers = inventoryNumbers(chosen, typed);
  voice.mining(0);
  const { bytes, report } = await buildInventoryRequest(withInventoryNumbers(chosen, numbers), material, voice.mining);
  voice.mining(report.miningAttempts);
  writeNewFile(options['out']!, '--out', bytes);
  voice.numbers(numbers);
  return report;
}

type Options = Readonly<Record<string, string>>;

/** @throws {PackError} for an option of a case without `--case`, and for a case without its wallet. */
function requireOptionsOf(options: Options): void {
  const isCase = options['case'] !== undefined;
  const findings = OF_A_CASE.map(({ name }) => name)
    .filter((name) =>
      isCase
        ? (name === 'capabilities' || name === 'wallet') && options[name] === undefined
        : options[name] !== undefined,
    )
    .map((name) => ({ path: `--${name}`, message: isCase ? 'is required with --case' : 'needs --case' }));
  if (findings.length > 0) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', findings);
}

const readBytes = ({ input }: Options): Uint8Array =>
  readBoundedFile(input!, '--input', LIMITS.requestBytes, tooLargeError());

const readInput = (options: Options): JsonValue => parseDocument(readBytes(options), 'MULTI_ROLE_PACK_CONFIG_INVALID');

/** Returns a case of the published projects with the live values and the choices that were typed. */
function filledCase(options: Options): InventoryProjectInput {
  const reader = new OptionReader(options);
  const { wallet, creatorRecipient, nonce, validAfter, deadline } = readLiveOptions(reader);
  const { metadata, fees } = readProjectOptions(reader);
  reader.requireValid();
  const input = inventoryInputOf(readBytes(options), options['case'] as InventoryCase, {
    context: readPublishedContext(options['capabilities']!),
    launchWallet: wallet,
    nonce: nonce.toString(),
    permitWindow: { validAfter: validAfter.toString(), deadline: deadline.toString() },
    creatorRecipient,
  });
  const { image: file } = options;
  const image = file === undefined ? null : readImageFile(file);
  return {
    ...input,
    project: {
      ...input.project,
      ...metadata,
      ...(image === null ? {} : { image: { path: image.path, base64: image.base64 } }),
    },
    parameters: { ...input.parameters, ...fees },
  };
}
