import { setTimeout as pause } from 'node:timers/promises';
import type { ObserverLog } from '@launch/chain';
import { readCommandLine, refusalLine, type RefusedLine } from '@launch/client-core/command';
import { withRetries, type Patience } from '@launch/client-core/transport';
import { ServiceRefusal } from '../feed/service.refusal.js';
import { ArgumentError, EXIT, failureOf, type ExitCode, type Failure } from './command.error.js';
import { INDEX_READER, type CommandName } from './commands.js';
import type { Outcome } from './outcome.js';
import { runCoin } from './run-coin.js';
import { runFeed } from './run-feed.js';
import { runVerify } from './run-verify.js';
import type { Environment, Options, World } from './settings.js';

export interface Printed {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

type Run = (options: Options, world: World) => Promise<Outcome>;
const RUNS: Readonly<Record<CommandName, Run>> = {
  coin: runCoin,
  verify: runVerify,
  feed: runFeed,
};

/** The terminal of a run. */
export interface Terminal {
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Writes to stderr while a command runs. */
  readonly say: (text: string) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}
const PIPED: Terminal = {
  stdout: false,
  stderr: false,
  say: () => undefined,
  sleep: (milliseconds) => pause(milliseconds),
};

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
    if (line.kind === 'refused') throw refusalOf(line);
    const { command, options } = line;
    const patience = options['retry'] === undefined ? null : patienceOf(terminal, terminal.stderr && !isJson);
    const run = () => RUNS[command as CommandName](options, { environment, log, patience });
    const { exitCode, result, lines } = await withRetries(run, patience);
    const stdout = terminal.stdout && !isJson ? `${lines.join('\n')}\n` : lineOf(result);
    return { exitCode, stdout, stderr: warnings.join('') };
  } catch (error) {
    const { exitCode, failure } = failureOf(error);
    const stderr = terminal.stderr && !isJson ? failureText(failure) : lineOf(failure);
    return { exitCode, stdout: '', stderr };
  }
}

/** Returns the patience of `--retry`: a refusal that the service calls retryable is asked again. */
const patienceOf = ({ say, sleep }: Terminal, isText: boolean): Patience => ({
  retryableOf: (error) => {
    if (!(error instanceof ServiceRefusal) || !error.retryable) return null;
    return { code: error.serviceCode, retryAfterSeconds: error.retryAfterSeconds ?? null };
  },
  tell: ({ code }, seconds) =>
    say(isText ? `${code}: again in ${seconds} s\n` : lineOf({ retrying: { code, seconds } })),
  sleep,
});

/** Returns the refusal of a command line, with the place of its first fault. */
function refusalOf({ findings: [first, ...others], help }: RefusedLine): ArgumentError {
  const findings = [{ path: '', message: first!.message }, ...others];
  return new ArgumentError(first!.path, refusalLine({ findings, help }));
}

const failureText = ({ code, path, message }: Failure): string =>
  `index-reader: ${`${path ?? ''} ${message}`.trim()}${code === 'ARGUMENTS_INVALID' ? '' : ` (${code})`}\n`;

/** Writes integers of any size as decimal strings. */
const lineOf = (value: object): string =>
  `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))}\n`;
