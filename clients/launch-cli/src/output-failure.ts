import { commandOf } from '@launch/client-core/command';
import { LAUNCH } from './commands.js';
import { EXIT, type ExitCode } from './launch.error.js';

/** Commands whose request was sent before their output is written. */
const SUBMITTING: readonly string[] = ['submit', 'plan submit'];

/** Returns the failure of a run whose output cannot be written, in the form of its other failures. */
export function outputFailure(
  argv: readonly string[],
  isTerminal: boolean,
  message: string,
): { readonly exitCode: ExitCode; readonly stderr: string } {
  const exitCode = EXIT.file;
  if (isTerminal && !argv.includes('--json')) return { exitCode, stderr: `launch: ${message}\n` };
  const error = { code: 'LAUNCH_CLI_FILE_FAILED', message, refusal: null, findings: [] };
  const command = commandOf(LAUNCH, argv).command?.name ?? null;
  const sent = { submissionMayExist: SUBMITTING.includes(command ?? ''), repeat: null };
  const body = { command, httpStatus: null, error, ...sent, exitCode };
  return { exitCode, stderr: `${JSON.stringify(body)}\n` };
}
