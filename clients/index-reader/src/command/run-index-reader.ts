import type { ObserverLog } from '@launch/chain';
import { parseArguments } from '@launch/client-core/command';
import { ArgumentError, EXIT, failureOf, type ExitCode } from './command.error.js';
import { COMMANDS, HELP, type CommandName } from './commands.js';
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

/** Runs one command: reads its arguments and returns its output and exit code. */
export async function runIndexReader(argv: readonly string[], environment: Environment): Promise<Printed> {
  if (argv.includes('--help')) return { exitCode: EXIT.done, stdout: HELP, stderr: '' };
  const warnings: string[] = [];
  const log: ObserverLog = { warn: (about, message) => void warnings.push(lineOf({ ...about, warning: message })) };
  try {
    const parsed = parseArguments(argv, COMMANDS);
    if (!parsed.ok) throw new ArgumentError(parsed.findings[0]?.path ?? '', parsed.findings[0]?.message ?? '');
    const { exitCode, result, lines } = await RUNS[parsed.command as CommandName](parsed.options, environment, log);
    const stdout = parsed.options['json'] === undefined ? `${lines.join('\n')}\n` : lineOf(result);
    return { exitCode, stdout, stderr: warnings.join('') };
  } catch (error) {
    const { exitCode, failure } = failureOf(error);
    return { exitCode, stdout: '', stderr: lineOf(failure) };
  }
}

/** Writes integers of any size as decimal strings. */
const lineOf = (value: object): string =>
  `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))}\n`;
