import { inventoryProjectInputSchema, type InventoryProjectInput } from '@launch/contracts/multi-role';
import type { JsonValue } from '@launch/contracts/json';
import { LIMITS } from '@launch/contracts/primitives';
import { readImageFile } from '../launch-options/image-file.js';
import { LIVE_HELP, LIVE_OPTIONS, readLiveOptions } from '../launch-options/live-options.js';
import { PROJECT_HELP, PROJECT_OPTIONS, readProjectOptions } from '../launch-options/project-options.js';
import { readPublishedContext } from '../launch-options/published-context.js';
import type { BuilderVoice } from '../numbers/builder-voice.js';
import { inventoryNumbers, withInventoryNumbers, withMinimumToCome } from '../numbers/inventory-numbers.js';
import { NUMBER_HELP, NUMBER_OPTIONS, readNumberOptions } from '../numbers/number-options.js';
import { parseOptions, type CommandShape } from '@launch/client-core/command';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { OptionReader } from '../offline/option-reader.js';
import { PackError } from '../offline/pack.error.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';
import { tooLargeError } from '../packer/pack-request.js';
import { buildInventoryRequest } from './build-inventory-request.js';
import { inventoryInputOf, isInventoryCase } from './inventory-input.js';
import type { InventoryMaterial } from './inventory-material.js';

const HELP = `inventory-builder: makes the create request of an inventory launch, offline

  node inventory-builder.mjs --help
  node inventory-builder.mjs --input inventory-projects.json --case atlas|cedar
      --capabilities <saved capabilities> --wallet 0x… --out <file> [choices] [numbers]
  node inventory-builder.mjs --input <project input> --out <file> [numbers]

--case takes one case out of the published projects and fills it for the wallet. Without it the input
is a complete service.inventory-project-input.v3, and only the options of numbers apply.
The output is the canonical request; its report, with the predicted addresses, is printed.
The hook's address is mined on all cores, with progress on stderr, for at most 1048576
tries and one minute.

${LIVE_HELP}${PROJECT_HELP}${NUMBER_HELP}
The file is created new (mode 0600) and never overwritten. Nothing is compiled, signed or
sent; no network, environment or credential is read.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.
`;

const OF_A_FILE: CommandShape = { required: ['input', 'out'], optional: NUMBER_OPTIONS };
const OF_A_CASE: CommandShape = {
  required: ['input', 'case', 'out', ...LIVE_OPTIONS.required],
  optional: [...LIVE_OPTIONS.optional, ...PROJECT_OPTIONS, ...NUMBER_OPTIONS],
};

/** Runs the builder once. Returns its help or its report. @throws {PackError} */
export async function runInventoryBuilder(
  argv: readonly string[],
  material: InventoryMaterial,
  voice: BuilderVoice,
): Promise<unknown> {
  if (argv.length === 1 && argv[0] === '--help') return HELP;
  const parsed = parseOptions('inventory-builder', argv, argv.includes('--case') ? OF_A_CASE : OF_A_FILE);
  if (!parsed.ok) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', parsed.findings);
  const { options } = parsed;
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

const readBytes = ({ input }: Options): Uint8Array =>
  readBoundedFile(input!, '--input', LIMITS.requestBytes, tooLargeError());

const readInput = (options: Options): JsonValue => parseDocument(readBytes(options), 'MULTI_ROLE_PACK_CONFIG_INVALID');

/** Returns a case of the published projects with the live values and the choices that were typed. */
function filledCase(options: Options): InventoryProjectInput {
  const chosen = options['case']!;
  if (!isInventoryCase(chosen))
    throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', [{ path: '--case', message: 'is atlas or cedar' }]);
  const reader = new OptionReader(options);
  const { wallet, creatorRecipient, nonce, validAfter, deadline } = readLiveOptions(reader);
  const { metadata, fees } = readProjectOptions(reader);
  reader.requireValid();
  const input = inventoryInputOf(readBytes(options), chosen, {
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
