import { inventoryProjectInputSchema } from '@launch/contracts/multi-role';
import { LIMITS } from '@launch/contracts/primitives';
import type { BuilderVoice } from '../numbers/builder-voice.js';
import { inventoryNumbers, withInventoryNumbers, withMinimumToCome } from '../numbers/inventory-numbers.js';
import { NUMBER_HELP, NUMBER_OPTIONS, readNumberOptions } from '../numbers/number-options.js';
import { parseOptions, type CommandShape } from '@launch/client-core/command';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';
import { tooLargeError } from '../packer/pack-request.js';
import { buildInventoryRequest } from './build-inventory-request.js';
import type { InventoryMaterial } from './inventory-material.js';

const HELP = `inventory-builder: makes the create request of an inventory launch, offline

  node inventory-builder.mjs --help
  node inventory-builder.mjs --input <file> --out <file> [--supply '<n> tokens'] [--slippage-bps <n>]

The input is a service.inventory-project-input.v3: a case of inventory-projects.json with
context, launchWallet, nonce, permitWindow and parameters.creatorRecipient in place of null.
The output is the canonical request; its report, with the predicted addresses, is printed.
The hook's address is mined on all cores, with progress on stderr, for at most 1048576
tries and one minute.

${NUMBER_HELP}
The file is created new (mode 0600) and never overwritten. Nothing is compiled, signed or
sent; no network, environment or credential is read.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.
`;

const SHAPE: CommandShape = { required: ['input', 'out'], optional: NUMBER_OPTIONS };

/** Runs the builder once. Returns its help or its report. @throws {PackError} */
export async function runInventoryBuilder(
  argv: readonly string[],
  material: InventoryMaterial,
  voice: BuilderVoice,
): Promise<unknown> {
  if (argv.length === 1 && argv[0] === '--help') return HELP;
  const parsed = parseOptions('inventory-builder', argv, SHAPE);
  if (!parsed.ok) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', parsed.findings);
  const typed = readNumberOptions(parsed.options);
  const code = 'MULTI_ROLE_PACK_CONFIG_INVALID';
  const document = parseDocument(
    readBoundedFile(parsed.options['input']!, '--input', LIMITS.requestBytes, tooLargeError()),
    code,
  );
  const chosen = validateDocument(
    inventoryProjectInputSchema,
    typed.slippageBps === null ? document : withMinimumToCome(document),
    code,
  );
  const numbers = inventoryNumbers(chosen, typed);
  voice.mining(0);
  const { bytes, report } = await buildInventoryRequest(withInventoryNumbers(chosen, numbers), material, voice.mining);
  voice.mining(report.miningAttempts);
  writeNewFile(parsed.options['out']!, '--out', bytes);
  voice.numbers(numbers);
  return report;
}
