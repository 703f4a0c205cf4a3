import { canonicalizeJson } from '@launch/contracts/json';
import { LIMITS } from '@launch/contracts/primitives';
import { parseArguments, type CommandShape } from '@launch/client-core/command';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';
import { inertConfigOf, isReferenceCase, referenceTooLarge } from './inert-config.js';
import { packRequest, tooLargeError } from './pack-request.js';

const HELP = `request-packer: makes a multi-role launch request, offline

  node request-packer.mjs --help
  node request-packer.mjs reference --input <file> --case zero|buy --out <file>
      writes one case of request-packer-reference.json as an inert configuration,
      which reference-builder.mjs fills
  node request-packer.mjs pack --config <file> --out <file>
      writes the canonical request of a complete configuration and prints its report

Files are created new (mode 0600) and never overwritten. Nothing is compiled, mined,
signed or sent; no network, environment or credential is read.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.
`;

const COMMANDS: Readonly<Record<string, CommandShape>> = {
  reference: { required: ['input', 'case', 'out'] },
  pack: { required: ['config', 'out'] },
};

/** Runs the packer once. Returns its help as text or its result as a JSON document. @throws {PackError} */
export function runPacker(argv: readonly string[]): unknown {
  if (argv.length === 1 && argv[0] === '--help') return HELP;
  const parsed = parseArguments(argv, COMMANDS);
  if (!parsed.ok) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', parsed.findings);
  const { options } = parsed;
  return parsed.command === 'pack'
    ? pack(options['config']!, options['out']!)
    : reference(options['input']!, options['case']!, options['out']!);
}

function pack(config: string, out: string): unknown {
  const { bytes, report } = packRequest(readBoundedFile(config, '--config', LIMITS.requestBytes, tooLargeError()));
  writeNewFile(out, '--out', bytes);
  return report;
}

function reference(input: string, chosen: string, out: string): unknown {
  if (!isReferenceCase(chosen))
    throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', [{ path: '--case', message: 'is zero or buy' }]);
  const inert = inertConfigOf(readBoundedFile(input, '--input', LIMITS.requestBytes, referenceTooLarge()), chosen);
  writeNewFile(out, '--out', canonicalizeJson(inert));
  return { schemaVersion: inert.schemaVersion, case: inert.case, packable: false };
}
