import { commandOf } from '@launch/client-core/command';
import { LAUNCH } from './commands.js';
import { EXIT, type ExitCode } from './launch.error.js';

/** Returns the failure of a run whose output cannot be written, in the form of its other failures. */
export function outputFailure(
  argv: readonly string[],
  isTerminal: boolean,
  message: string,
): { readonly exitCode: ExitCode; readonly stderr: string } {
  const exitCode = EXIT.file;
  if (isTerminal && !argv.includes('--json')) return { exitCode, stderr: `launch: ${message}\n` };
  const error = { code: 'LAUNCH_CLI_FILE_FAILED', message, refusal: null, findings: [] };
  const body = { command: commandOf(LAUNCH, argv).command?.name ?? null, httpStatus: null, error, exitCode };
  return { exitCode, stderr: `${JSON.stringify(body)}\n` };
}
