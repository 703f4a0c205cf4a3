import { readCommandLine, refusalLine } from '@launch/client-core/command';
import type { JsonValue } from '@launch/contracts/json';
import { PackError, plain } from '@launch/multi-role/offline';
import type { Environment, Outcome, World } from './command.js';
import { LAUNCH, type CommandName } from './commands.js';
import { EXIT, LaunchError, type ExitCode } from './launch.error.js';
import { RUNS } from './runs.js';
import type { Submission } from './submission.js';

/** The terminal of a run, and the bounds of the run. */
export interface Terminal extends Omit<World, 'environment' | 'submitting'> {
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface Printed {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command: reads its arguments and returns its output and exit code. Throws only for faults of the program. */
export async function runLaunch(
  argv: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<Printed> {
  const line = readCommandLine(LAUNCH, argv);
  if (line.kind === 'text') return { exitCode: EXIT.done, stdout: line.text, stderr: '' };
  const { command } = line;
  const isJson = argv.includes('--json');
  let submission: Submission | null = null;
  try {
    if (line.kind === 'refused') throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', refusalLine(line));
    const outcome = await RUNS[command as CommandName](line.options, {
      ...terminal,
      environment,
      submitting: (one) => void (submission = one),
    });
    const isText = terminal.stdout && !isJson;
    return {
      exitCode: outcome.exitCode,
      stdout: isText ? outcome.text : resultLine(line.command, outcome),
      stderr: '',
    };
  } catch (error) {
    const failure = asLaunchError(error, terminal.signal);
    const isText = terminal.stderr && !isJson;
    const repeat = repeatIn(submission);
    const stderr = isText ? failureText(failure, repeat) : `${JSON.stringify(failureBody(command, failure, repeat))}\n`;
    return { exitCode: failure.exitCode, stdout: '', stderr };
  }
}

/** Returns the command that repeats a request which the service may have; null without one. */
const repeatIn = (submission: Submission | null): string | null =>
  submission?.mayExist === true ? submission.repeat : null;

function asLaunchError(error: unknown, signal: AbortSignal): LaunchError {
  if (signal.aborted) return new LaunchError('LAUNCH_CLI_INTERRUPTED', 'the command was interrupted');
  if (error instanceof LaunchError) return error;
  if (!(error instanceof PackError)) throw error;
  if (error.code !== 'MULTI_ROLE_PACK_IO_ERROR')
    return new LaunchError('LAUNCH_CLI_CONFIG_INVALID', 'the launch cannot be packed', { findings: error.findings });
  return new LaunchError(
    'LAUNCH_CLI_FILE_FAILED',
    error.findings.map(({ path, message }) => `${path} ${message}`).join('; '),
  );
}

/** Formats the JSON form of a result in one line. */
const resultLine = (name: string, { httpStatus, replayed = false, resource }: Outcome): string =>
  `${JSON.stringify({ command: name, httpStatus, replayed, resource })}\n`;

const failureBody = (
  command: string | null,
  { code, message, detail, exitCode }: LaunchError,
  repeat: string | null,
): JsonValue => ({
  command,
  httpStatus: detail.httpStatus ?? null,
  error: {
    code,
    message,
    refusal: detail.refusal === undefined ? null : { ...detail.refusal },
    findings: (detail.findings ?? []).map((one) => ({ ...one })),
  },
  submissionMayExist: repeat !== null,
  repeat,
  exitCode,
});

const labelled = (word: string, value: string | null | undefined): string => (value == null ? '' : `${word} ${value}`);

function failureText({ message, detail }: LaunchError, repeat: string | null): string {
  const { refusal } = detail;
  const by = refusal === undefined ? '' : ` (${refusal.code}, ${refusal.requestId})`;
  const findings = (detail.findings ?? []).map(
    ({ code, path, message: why, expected, actual }) =>
      `  ${[code, path, why, labelled(', expected', expected), labelled(', not', actual)].filter(Boolean).join(' ')}\n`,
  );
  const doubt =
    repeat === null
      ? ''
      : `The service may have the request. Send the same file under the same key again:\n  ${plain(repeat)}\n`;
  return `launch: ${plain(`${message}${by}`)}\n${findings.map(plain).join('')}${doubt}`;
}
