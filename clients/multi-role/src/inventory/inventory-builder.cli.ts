import { inventoryProjectInputSchema, LIMITS } from '@launch/contracts';
import { parseOptions, type CommandShape } from '../offline/arguments.js';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';
import { tooLargeError } from '../packer/pack-request.js';
import { buildInventoryRequest } from './build-inventory-request.js';
import type { InventoryMaterial } from './inventory-material.js';

const HELP = `inventory-builder: makes the create request of an inventory launch, offline

  node inventory-builder.mjs --help
  node inventory-builder.mjs --input <file> --out <file>

The input is a service.inventory-project-input.v3: a case of inventory-projects.json with
context, launchWallet, nonce, permitWindow and parameters.creatorRecipient in place of null.
The output is the canonical request; its report, with the predicted addresses, is printed.
The hook's address is mined on all cores, with progress on stderr, for at most 1048576
tries and one minute.

The file is created new (mode 0600) and never overwritten. Nothing is compiled, signed or
sent; no network, environment or credential is read.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.
`;

const SHAPE: CommandShape = { required: ['input', 'out'] };

/** One run of the builder: its help or its report. `onProgress` hears how many salts were tried. @throws {PackError} */
export async function runInventoryBuilder(argv: readonly string[], material: InventoryMaterial, onProgress: (attempts: number) => void): Promise<unknown> {
  if (argv.length === 1 && argv[0] === '--help') return HELP;
  const parsed = parseOptions('inventory-builder', argv, SHAPE);
  if (!parsed.ok) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', parsed.findings);
  const code = 'MULTI_ROLE_PACK_CONFIG_INVALID';
  const document = parseDocument(readBoundedFile(parsed.options['input']!, '--input', LIMITS.requestBytes, tooLargeError()), code);
  const input = validateDocument(inventoryProjectInputSchema, document, code);
  onProgress(0);
  const { bytes, report } = await buildInventoryRequest(input, material, onProgress);
  onProgress(report.miningAttempts);
  writeNewFile(parsed.options['out']!, '--out', bytes);
  return report;
}
