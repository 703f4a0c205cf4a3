import type { JsonValue } from '@launch/contracts/json';
import { PackError, parseOptions, plain } from '@launch/multi-role/offline';
import type { Command, Environment, Options, Outcome, World } from './command.js';
import { COMMANDS, HELP_OPTION, JSON_OPTION } from './commands.js';
import { commandOf, helpOf } from './help.js';
import { EXIT, LaunchError, type ExitCode } from './launch.error.js';
import { RUNS } from './runs.js';

/** The terminal of a run, and the bounds of the run. */
export interface Terminal extends Omit<World, 'environment'> {
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface Printed {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

const done = (stdout: string): Printed => ({ exitCode: EXIT.done, stdout, stderr: '' });

/** Runs one command: reads its arguments and returns its output and exit code. Throws only for faults of the program. */
export async function runLaunch(
  argv: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<Printed> {
  const help = helpOf(argv);
  if (help !== null) return done(help);
  const { command, rest } = commandOf(argv);
  const isJson = argv.includes('--json');
  try {
    if (command === undefined)
      throw usage(`the first argument is one of: ${COMMANDS.map((one) => one.name).join(', ')}`);
    const options = readOptions(command, rest);
    const run = RUNS[command.name];
    const outcome = await run(options, { ...terminal, environment });
    const isText = (terminal.stdout || command.isScript === true) && !isJson;
    return { exitCode: outcome.exitCode, stdout: isText ? outcome.text : resultLine(command, outcome), stderr: '' };
  } catch (error) {
    const failure = asLaunchError(error, terminal.signal);
    const isText = terminal.stderr && !isJson;
    const stderr = isText ? failureText(failure) : `${JSON.stringify(failureBody(command, failure))}\n`;
    return { exitCode: failure.exitCode, stdout: '', stderr };
  }
}

const usage = (message: string): LaunchError => new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', message);

function readOptions(command: Command, argv: readonly string[]): Options {
  if (argv.some((one) => one === '--out' || one.startsWith('--out=')))
    throw usage('--out is not an option; the option is --output');
  const { name, operand } = command;
  const all = [...command.options, JSON_OPTION, HELP_OPTION];
  const parsed = parseOptions(name, argv, {
    required: [...(operand === undefined ? [] : [operand]), ...all.filter((one) => one.isRequired)].map(
      (one) => one.name,
    ),
    optional: all.filter(({ value, isRequired }) => value !== null && !isRequired).map((one) => one.name),
    flags: all.filter(({ value }) => value === null).map((one) => one.name),
    ...(operand === undefined ? {} : { operand: operand.name }),
  });
  if (!parsed.ok) throw usage(parsed.findings.map(({ path, message }) => `${path} ${message}`.trim()).join('; '));
  for (const { name: option, values } of [...all, ...(operand === undefined ? [] : [operand])]) {
    const value = parsed.options[option];
    if (value !== undefined && values !== undefined && !values.includes(value))
      throw usage(`${option === operand?.name ? option : `--${option}`} is one of: ${values.join(', ')}`);
  }
  return parsed.options;
}

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
const resultLine = ({ name }: Command, { httpStatus, replayed = false, resource }: Outcome): string =>
  `${JSON.stringify({ command: name, httpStatus, replayed, resource })}\n`;

const failureBody = (command: Command | undefined, { code, message, detail, exitCode }: LaunchError): JsonValue => ({
  command: command?.name ?? null,
  httpStatus: detail.httpStatus ?? null,
  error: {
    code,
    message,
    refusal: detail.refusal === undefined ? null : { ...detail.refusal },
    findings: (detail.findings ?? []).map((one) => ({ ...one })),
  },
  exitCode,
});

const labelled = (word: string, value: string | null | undefined): string => (value == null ? '' : `${word} ${value}`);

function failureText({ message, detail }: LaunchError): string {
  const { refusal } = detail;
  const by = refusal === undefined ? '' : ` (${refusal.code}, ${refusal.requestId})`;
  const findings = (detail.findings ?? []).map(
    ({ code, path, message: why, expected, actual }) =>
      `  ${[code, path, why, labelled(', expected', expected), labelled(', not', actual)].filter(Boolean).join(' ')}\n`,
  );
  return `launch: ${plain(`${message}${by}`)}\n${findings.map(plain).join('')}`;
}
