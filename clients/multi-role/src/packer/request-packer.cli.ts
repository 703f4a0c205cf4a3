import { canonicalizeJson } from '@launch/contracts/json';
import { REFERENCE_CASES, type ReferenceCase } from '@launch/contracts/multi-role';
import { LIMITS } from '@launch/contracts/primitives';
import { JSON_OPTION, RELEASE, type OptionDeclaration, type ProgramDeclaration } from '@launch/client-core/command';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { readArguments } from '../offline/read-arguments.js';
import { inertConfigOf, referenceTooLarge } from './inert-config.js';
import { packRequest, tooLargeError } from './pack-request.js';

const out: OptionDeclaration = {
  name: 'out',
  value: 'file',
  summary: 'write the result to this new file (mode 0600)',
  required: true,
};

export const PACKER: ProgramDeclaration = {
  name: 'request-packer',
  file: 'request-packer.mjs',
  version: RELEASE,
  summary: 'multi-role launch requests, made offline',
  options: [JSON_OPTION],
  commands: [
    {
      name: 'reference',
      summary: 'write one case of the published reference as an inert configuration',
      details: 'reference-builder.mjs fills the configuration for one launch.',
      options: [
        { name: 'input', value: 'file', summary: 'read request-packer-reference.json', required: true },
        { name: 'case', value: 'case', summary: 'choose the case', values: REFERENCE_CASES, required: true },
        out,
      ],
      examples: ['reference --input request-packer-reference.json --case zero --out inert.json'],
    },
    {
      name: 'pack',
      summary: 'write the canonical request of a complete configuration, and print its report',
      options: [{ name: 'config', value: 'file', summary: 'read the complete configuration', required: true }, out],
      examples: ['pack --config config.json --out request.json'],
    },
  ],
  details: `Files are created new (mode 0600) and never overwritten. Nothing is compiled, mined, signed or sent; no network,
environment or credential is read. A result is one line of JSON; a failure is text on a terminal, else one line of JSON.
Exit codes: 0 done, 2 usage, 3 findings about the input, 11 input or output failed.`,
};

/** Runs the packer once. Returns its help as text or its result as a JSON document. @throws {PackError} */
export function runPacker(argv: readonly string[]): unknown {
  const line = readArguments(PACKER, argv);
  if (line.kind === 'text') return line.text;
  const { options } = line;
  return line.command === 'pack'
    ? pack(options['config']!, options['out']!)
    : reference(options['input']!, options['case'] as ReferenceCase, options['out']!);
}

function pack(config: string, out: string): unknown {
  const { bytes, report } = packRequest(readBoundedFile(config, '--config', LIMITS.requestBytes, tooLargeError()));
  writeNewFile(out, '--out', bytes);
  return report;
}

function reference(input: string, chosen: ReferenceCase, out: string): unknown {
  const inert = inertConfigOf(readBoundedFile(input, '--input', LIMITS.requestBytes, referenceTooLarge()), chosen);
  writeNewFile(out, '--out', canonicalizeJson(inert));
  return { schemaVersion: inert.schemaVersion, case: inert.case, packable: false };
}
