import type { ObserverLog } from '@launch/chain';
import { helpFor, readCommandLine, refusalLine } from '@launch/client-core/command';
import { ArgumentError, EXIT, failureOf, type ExitCode, type Failure } from './command.error.js';
import { INDEX_READER, type CommandName } from './commands.js';
import type { Outcome } from './outcome.js';
import { runCoin } from './run-coin.js';
import { runFeed } from './run-feed.js';
import { runVerify } from './run-verify.js';
import type { Environment, Options } from './settings.js';

export interface Printed {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

type Run = (options: Options, environment: Environment, log: ObserverLog) => Promise<Outcome>;
const RUNS: Readonly<Record<CommandName, Run>> = {
  coin: runCoin,
  verify: runVerify,
  feed: runFeed,
};

/** The terminal of a run. */
export interface Terminal {
  readonly stdout: boolean;
  readonly stderr: boolean;
}
const PIPED: Terminal = { stdout: false, stderr: false };

/** Runs one command: reads its arguments and returns its output and exit code. */
export async function runIndexReader(
  argv: readonly string[],
  environment: Environment,
  terminal: Terminal = PIPED,
): Promise<Printed> {
  const line = readCommandLine(INDEX_READER, argv);
  if (line.kind === 'text') return { exitCode: EXIT.done, stdout: line.text, stderr: '' };
  const isJson = argv.includes('--json');
  const warnings: string[] = [];
  const log: ObserverLog = { warn: (about, message) => void warnings.push(lineOf({ ...about, warning: message })) };
  try {
    if (line.kind === 'refused')
      throw new ArgumentError(line.findings[0]!.path, line.findings.map(({ message }) => message).join('; '));
    const { exitCode, result, lines } = await RUNS[line.command as CommandName](line.options, environment, log);
    const stdout = terminal.stdout && !isJson ? `${lines.join('\n')}\n` : lineOf(result);
    return { exitCode, stdout, stderr: warnings.join('') };
  } catch (error) {
    const { exitCode, failure } = failureOf(error);
    const stderr = terminal.stderr && !isJson ? failureText(failure, argv) : lineOf(failure);
    return { exitCode, stdout: '', stderr };
  }
}

/** Formats a failure for a terminal. That of a command line names the help to read next. */
function failureText({ code, path, message }: Failure, argv: readonly string[]): string {
  const fault = `${path ?? ''} ${message}`.trim();
  return code === 'ARGUMENTS_INVALID'
    ? `index-reader: ${refusalLine({ findings: [{ path: '', message: fault }], help: helpFor(INDEX_READER, argv) })}\n`
    : `index-reader: ${fault} (${code})\n`;
}

/** Writes integers of any size as decimal strings. */
const lineOf = (value: object): string =>
  `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))}\n`;
