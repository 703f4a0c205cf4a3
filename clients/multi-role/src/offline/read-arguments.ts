import { readCommandLine, type CommandLine, type ProgramDeclaration } from '@launch/client-core/command';
import { PackError } from './pack.error.js';

/** Reads the command line of an offline tool. @throws {PackError} `MULTI_ROLE_PACK_ARGUMENTS_INVALID` */
export function readArguments(
  program: ProgramDeclaration,
  argv: readonly string[],
): Exclude<CommandLine, { readonly kind: 'refused' }> {
  const line = readCommandLine(program, argv);
  if (line.kind === 'refused') throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', line.findings);
  return line;
}
