import type { JsonValue } from '@launch/contracts/json';
import { PackError, parseOptions, plain } from '@launch/multi-role/offline';
import type { Command, Environment, Options, Outcome, World } from './command.js';
import { COMMANDS, HELP_OPTION, JSON_OPTION } from './commands.js';
import { commandHelp, programHelp } from './help.js';
import { EXIT, LaunchError, type ExitCode } from './launch.error.js';

/** Where a run is read, and what bounds it. */
export interface Terminal extends Omit<World, 'environment'> {
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface Run {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

const done = (stdout: string): Run => ({ exitCode: EXIT.done, stdout, stderr: '' });

/** One command from its arguments to what it prints and how it ends. Throws for faults of the program alone. */
export async function runLaunch(argv: readonly string[], environment: Environment, terminal: Terminal): Promise<Run> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === 'help') return done(programHelp());
  const command = COMMANDS.find((one) => one.name === name);
  const isJson = argv.includes('--json');
  try {
    if (command === undefined)
      throw usage(`the first argument is one of: ${COMMANDS.map((one) => one.name).join(', ')}`);
    if (rest.includes('--help')) return done(commandHelp(command));
    const options = readOptions(command, rest);
    const run = await command.load();
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
    required: operand === undefined ? [] : [operand.name],
    optional: all.filter(({ value }) => value !== null).map((one) => one.name),
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
  return new LaunchError(
    'LAUNCH_CLI_FILE_FAILED',
    error.findings.map(({ path, message }) => `${path} ${message}`).join('; '),
  );
}

/** The JSON form of a result (one line). */
const resultLine = ({ name }: Command, { httpStatus, resource }: Outcome): string =>
  `${JSON.stringify({ command: name, httpStatus, replayed: false, resource })}\n`;

const failureBody = (command: Command | undefined, { code, message, detail, exitCode }: LaunchError): JsonValue => ({
  command: command?.name ?? null,
  httpStatus: detail.httpStatus ?? null,
  error: { code, message, refusal: detail.refusal === undefined ? null : { ...detail.refusal } },
  exitCode,
});

function failureText({ message, detail }: LaunchError): string {
  const { refusal } = detail;
  const told = refusal === undefined ? '' : ` (${refusal.code}, ${refusal.requestId})`;
  return `launch: ${plain(`${message}${told}`)}\n`;
}
