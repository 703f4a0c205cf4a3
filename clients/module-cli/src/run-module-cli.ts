import { setTimeout as pause } from 'node:timers/promises';
import { readCommandLine, refusalLine } from '@launch/client-core/command';
import type { Patience } from '@launch/client-core/transport';
import type { JsonValue } from '@launch/contracts/json';
import { checkClient } from './check-client.js';
import { programOf, type CommandName, type Release } from './commands.js';
import { listSubmissions, readCapabilities, readReceipt, readReview, readReviewCapabilities } from './reads.js';
import { ModuleCliError } from './module-cli.error.js';
import { pinSources } from './pin-sources.js';
import { prepare } from './prepare.js';
import { refuseKeyInArguments, type Environment, type Options } from './settings.js';
import { submit } from './submit.js';

export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a command. */
export interface Outcome {
  readonly httpStatus: number | null;
  /** Whether the service had the submission before; null for a command that creates none. */
  readonly replayed: boolean | null;
  /** Whether the answer was compared with a kept receipt; null without one to compare. */
  readonly receiptBound: boolean | null;
  readonly resource: JsonValue;
}

/** The running client: the version of its release and the file that it was started from. */
export interface Program {
  readonly version: string;
  readonly file: string;
}

/** The environment of a command, besides its options. */
export interface World {
  readonly environment: Environment;
  readonly program: Program;
  /** Called when a submission is sent. A failure after it may have left a submission. */
  readonly submitting: () => void;
  /** The patience of `--retry`. */
  readonly patience: Patience;
}

/** The terminal of a run. */
export interface Terminal {
  /** Whether stderr is a terminal, where a wrong command line is explained in words. */
  readonly stderr: boolean;
  /** Writes to stderr while a command runs. */
  readonly say: (text: string) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}
const PIPED: Terminal = { stderr: false, say: () => undefined, sleep: (milliseconds) => pause(milliseconds) };

const RUNS: Readonly<Record<CommandName, (options: Options, world: World) => Outcome | Promise<Outcome>>> = {
  'check-client': checkClient,
  'module-capabilities': readCapabilities,
  'pin-module-sources': pinSources,
  'prepare-module-submission': prepare,
  'submit-module': submit,
  'status-module': readReceipt,
  'list-module-submissions': listSubmissions,
  'review-capabilities': readReviewCapabilities,
  'review-status-module': readReview,
};

/** Runs one command: reads its arguments and returns its output and exit code. */
export async function runModuleCli(
  argv: readonly string[],
  environment: Environment,
  release: Release,
  file: string,
  terminal: Terminal = PIPED,
): Promise<Printed> {
  let wasSent = false;
  // Whether an attempt before the last one may have left a submission.
  let mayExist = false;
  const program = programOf(release);
  try {
    refuseKeyInArguments(argv, environment);
    const line = readCommandLine(program, argv);
    if (line.kind === 'text') return { exitCode: 0, stdout: line.text, stderr: '' };
    if (line.kind === 'refused') {
      const failure = ModuleCliError.own('MODULE_CLI_ARGUMENTS_INVALID', { path: line.findings[0]!.path });
      const isText = terminal.stderr && !argv.includes('--json');
      const stderr = isText ? `${program.name}: ${refusalLine(line)}\n` : lineOf(failure.toBody(false));
      return { exitCode: failure.exitCode, stdout: '', stderr };
    }
    const outcome = await RUNS[line.command as CommandName](line.options, {
      environment,
      program: { version: release.version, file },
      submitting: () => (wasSent = true),
      patience: {
        retryableOf: (error) => {
          if (!(error instanceof ModuleCliError) || error.detail.retryable !== true) return null;
          mayExist ||= error.toBody(wasSent).submissionMayExist;
          return { code: error.code, retryAfterSeconds: error.detail.retryAfterSeconds ?? null };
        },
        tell: ({ code }, seconds) => terminal.say(lineOf({ retrying: { code, seconds } })),
        sleep: terminal.sleep,
      },
    });
    return { exitCode: 0, stdout: lineOf({ command: line.command, ...outcome }), stderr: '' };
  } catch (error) {
    // The text of the fault could contain a private path.
    const failure = error instanceof ModuleCliError ? error : ModuleCliError.own('MODULE_CLI_INTERNAL');
    const body = failure.toBody(wasSent);
    const stderr = lineOf({ ...body, submissionMayExist: body.submissionMayExist || mayExist });
    return { exitCode: failure.exitCode, stdout: '', stderr };
  }
}

/** Returns the failure of a command whose output cannot be written. A submission was sent before its output is printed. */
export function outputFailure(argv: readonly string[]): Pick<Printed, 'exitCode' | 'stderr'> {
  const failure = ModuleCliError.own('MODULE_CLI_FILE');
  return { exitCode: failure.exitCode, stderr: lineOf(failure.toBody(argv[0] === 'submit-module')) };
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;
