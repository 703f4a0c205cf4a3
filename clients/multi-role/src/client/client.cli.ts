import { lstatSync } from 'node:fs';
import { canonicalizeJson, canonicalJsonText } from '@launch/contracts/json';
import type { WalletHandoff } from '@launch/contracts/multi-role';
import { withRetries, type Patience } from '@launch/client-core/transport';
import { LIMITS, sha256Digest } from '@launch/contracts/primitives';
import { helpFor, invocationOf, readCommandLine, refusalLine, shellWord } from '@launch/client-core/command';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';
import { answerText, newsText } from './answer-text.js';
import { awaitStage, readWaiting, REAL_CLOCK, type WaitClock, type WaitingNews } from './await-stage.js';
import { ClientError, type ClientErrorBody } from './client.error.js';
import { CLIENT } from './client.program.js';
import { COMMANDS, type Options } from './commands.js';
import { download } from './downloads.js';
import { readApiKey, readOrigin, type Environment } from './environment.js';
import { failureText } from './failure-text.js';
import { checkHandoff, walletRequest } from './handoff.js';
import { perform, type PlannedCall } from './planned-call.js';
import { MAX_RESPONSE_BYTES, type Answer } from './transport.js';

/** The output of a run and its exit code. It can have both texts: an answer, and a file that could not be written. */
export interface ClientRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The terminal of a run, and its reporting of progress. */
export interface ClientTerminal {
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly say: (text: string) => void;
  readonly clock: WaitClock;
}

const PIPED: ClientTerminal = { stdout: false, stderr: false, say: () => undefined, clock: REAL_CLOCK };

/** Runs one command from arguments to exit code. `deadlineMs` replaces the command's own deadline. */
export async function runClient(
  argv: readonly string[],
  environment: Environment,
  deadlineMs?: number,
  terminal: ClientTerminal = PIPED,
): Promise<ClientRun> {
  const commandLine = readCommandLine(CLIENT, argv);
  if (commandLine.kind === 'text') return { exitCode: 0, stdout: commandLine.text, stderr: '' };
  const read = argv.includes('--json') ? { ...terminal, stdout: false, stderr: false } : terminal;
  const resultText = (result: CommandResult): string =>
    read.stdout ? answerText(result, read.clock.now()) : line(result);
  const progress: Progress = { repeat: null, mayExist: false, result: null };
  try {
    if (commandLine.kind === 'refused')
      throw new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', { findings: commandLine.findings });
    await runCommand(commandLine, environment, progress, deadlineMs, read);
    return { exitCode: 0, stdout: progress.result === null ? '' : resultText(progress.result), stderr: '' };
  } catch (error) {
    const failure = asClientError(error);
    const body = bodyOf(failure, progress, argv);
    // On a terminal that shows both, the launch above already shows its end.
    const isReported = read.stdout && progress.result !== null && failure.code === 'MULTI_ROLE_CLIENT_LAUNCH_ENDED';
    const isUsage = failure.code === 'MULTI_ROLE_CLIENT_ARGUMENTS_INVALID';
    const words = isUsage
      ? `${CLIENT.name}: ${refusalLine({ findings: failure.detail.findings ?? [], help: helpFor(CLIENT, argv) })}\n`
      : failureText(isReported ? { ...body, findings: [] } : body);
    const text = withoutKey(read.stderr ? words : line(body), environment);
    return {
      exitCode: failure.exitCode,
      stdout: progress.result === null ? '' : resultText(progress.result),
      stderr: text,
    };
  }
}

/** Returns the body of a failure. That of a command line names the help to read next. */
function bodyOf(failure: ClientError, { repeat, mayExist }: Progress, argv: readonly string[]): ClientErrorBody {
  const own = failure.toBody(repeat);
  const body = mayExist ? { ...own, submissionMayExist: true, repeat } : own;
  const isUsage = failure.code === 'MULTI_ROLE_CLIENT_ARGUMENTS_INVALID';
  return isUsage ? { ...body, message: `${body.message} Run ${helpFor(CLIENT, argv)}.` } : body;
}

/** Returns the failure of a run whose output cannot be written. A create was sent before its answer is printed. */
export function outputFailure(
  argv: readonly string[],
  terminal: Pick<ClientTerminal, 'stderr'>,
  message: string,
): Omit<ClientRun, 'stdout'> {
  const failure = new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', { findings: [{ path: '', message }] });
  const commandLine = readCommandLine(CLIENT, argv);
  const isCreate = commandLine.kind === 'run' && commandLine.command === 'create';
  const body = failure.toBody(isCreate ? repeatOf(commandLine.options) : null);
  return {
    exitCode: failure.exitCode,
    stderr: terminal.stderr && !argv.includes('--json') ? failureText(body) : line(body),
  };
}

interface Progress {
  /** The command that repeats a create which was passed to the network. */
  repeat: string | null;
  /** Whether an attempt before the last one may have reserved a launch. */
  mayExist: boolean;
  result: CommandResult | null;
}

/** Returns the command that sends the same request again, without the files that exist by then. */
function repeatOf(options: Options, idempotencyKey = options['idempotency-key']): string {
  const key = idempotencyKey === undefined ? [] : ['--idempotency-key', idempotencyKey];
  return [...invocationOf(CLIENT).split(' '), 'create', '--request', options['request']!, ...key]
    .map(shellWord)
    .join(' ');
}

interface CommandResult {
  readonly schemaVersion: 'service.multi-role-client-result.v2';
  readonly command: string;
  /** Null for a command without a call. */
  readonly httpStatus: number | null;
  readonly replayed: boolean;
  readonly walletSaved: boolean;
  readonly responseSaved: boolean;
  readonly response: object;
}

async function runCommand(
  { command, options }: { readonly command: string; readonly options: Options },
  environment: Environment,
  progress: Progress,
  deadlineMs: number | undefined,
  terminal: ClientTerminal,
): Promise<void> {
  refuseExisting(options);
  if (command === 'check-handoff' || command === 'wallet-request')
    return saveOutcome(command, options, ofHandoff(command, options, terminal.clock.now()), progress);
  const patience = options['retry'] === undefined ? null : patienceOf(progress, environment, terminal);
  if (command === 'download') {
    const from = { origin: readOrigin(environment), deadlineMs, folder: options['into'] ?? '.' };
    const { answer, downloads } = await withRetries(() => download(from), patience);
    return saveOutcome(command, options, { ...answer, response: downloads, wallet: null }, progress);
  }
  const planned = COMMANDS[command]!.plan(options, readDocument(options));
  const waiting = command === 'wait' ? readWaiting(options) : null;
  const origin = readOrigin(environment);
  const apiKey = planned.isPublic ? null : readApiKey(environment);
  if (command === 'create') progress.repeat = repeatOf(options, planned.idempotencyKey);
  if (waiting === null)
    return saveOutcome(
      command,
      options,
      told(planned, await withRetries(() => perform(planned, { origin, apiKey, deadlineMs }), patience)),
      progress,
    );
  const tell = (news: WaitingNews): void =>
    terminal.say(
      withoutKey(terminal.stderr ? newsText(news, terminal.clock.now()) : line({ waiting: news }), environment),
    );
  const { answer, failure } = await awaitStage(planned, { origin, apiKey }, waiting, tell, terminal.clock);
  if (answer !== null) saveOutcome(command, options, told(planned, answer), progress);
  if (failure !== null) throw failure;
}

/** Returns the patience of `--retry`. Remembers whether an earlier attempt may have reserved a launch. */
const patienceOf = (progress: Progress, environment: Environment, terminal: ClientTerminal): Patience => ({
  retryableOf: (error) => {
    if (!(error instanceof ClientError) || error.code !== 'MULTI_ROLE_CLIENT_REFUSED') return null;
    const { httpStatus, refusal } = error.detail;
    if (refusal === undefined || (!refusal.retryable && httpStatus !== 429)) return null;
    progress.mayExist ||= error.toBody(progress.repeat).submissionMayExist;
    return refusal;
  },
  tell: ({ code }, seconds) =>
    terminal.say(
      withoutKey(
        terminal.stderr ? `${code}: again in ${seconds} s\n` : line({ retrying: { code, seconds } }),
        environment,
      ),
    ),
  sleep: terminal.clock.sleep,
});

/** The files that a command reads, each with its bound. */
const DOCUMENTS: Readonly<Record<string, number>> = {
  request: LIMITS.requestBytes,
  handoff: MAX_RESPONSE_BYTES,
  'original-launch': MAX_RESPONSE_BYTES,
};

/** Reads the file of the one command's option that names one; null without such an option. */
function readDocument(options: Options): Uint8Array<ArrayBuffer> | null {
  const option = Object.keys(DOCUMENTS).find((name) => options[name] !== undefined);
  return option === undefined ? null : readFileOf(options, option);
}

function readFileOf(options: Options, option: string): Uint8Array<ArrayBuffer> {
  const bound = DOCUMENTS[option]!;
  const tooLarge = new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', {
    findings: [{ path: `--${option}`, message: `is larger than ${bound} bytes` }],
  });
  return new Uint8Array(readBoundedFile(options[option]!, `--${option}`, bound, tooLarge));
}

/** Refuses existing files before anything is sent. The exclusive open at the end protects a file. */
function refuseExisting(options: Options): void {
  for (const option of ['save-response', 'save-wallet']) {
    const file = options[option];
    if (file !== undefined && lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
      throw new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', {
        findings: [{ path: `--${option}`, message: 'exists already; files are never overwritten' }],
      });
    }
  }
}

/** The result of a command: the printed part, and the bytes and the wallet that options save. */
interface CommandOutcome {
  readonly status: number | null;
  readonly replayed: boolean;
  readonly bytes: Uint8Array;
  readonly response: object;
  readonly wallet: WalletHandoff | null;
}

/** Returns the outcome of an answered call. Of a bundle only its address, size and launch are printed. */
function told(planned: PlannedCall, answer: Answer<object>): CommandOutcome {
  const { bytes, value } = answer;
  const response =
    planned.addressed === undefined
      ? value
      : { contentSha256: sha256Digest(bytes), byteLength: bytes.length, ...planned.addressed(value) };
  return { ...answer, response, wallet: planned.walletOf?.(value) ?? null };
}

/** Runs a command that reads a kept hand-off, without a call. */
function ofHandoff(command: 'check-handoff' | 'wallet-request', options: Options, now: number): CommandOutcome {
  const files = [readFileOf(options, 'request'), readFileOf(options, 'handoff')] as const;
  const response = command === 'check-handoff' ? checkHandoff(...files, now) : walletRequest(...files, now);
  return { status: null, replayed: false, bytes: canonicalizeJson(response), response, wallet: null };
}

function saveOutcome(command: string, options: Options, outcome: CommandOutcome, progress: Progress): void {
  const result = {
    schemaVersion: 'service.multi-role-client-result.v2',
    command,
    httpStatus: outcome.status,
    replayed: outcome.replayed,
    response: outcome.response,
  } as const;
  progress.result = { ...result, walletSaved: false, responseSaved: false };
  const responseFile = options['save-response'];
  if (responseFile !== undefined) writeNewFile(responseFile, '--save-response', outcome.bytes);
  progress.result = { ...result, walletSaved: false, responseSaved: responseFile !== undefined };
  const walletFile = options['save-wallet'];
  if (walletFile === undefined || outcome.wallet === null) return;
  writeNewFile(walletFile, '--save-wallet', canonicalizeJson(outcome.wallet));
  progress.result = { ...progress.result, walletSaved: true };
}

function asClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  if (error instanceof PackError) return new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', { findings: error.findings });
  return new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', { findings: [{ path: '', message: 'the client failed' }] });
}

const line = (value: unknown): string => `${canonicalJsonText(value)}\n`;

/** Removes the key from a refusal that repeats it. */
function withoutKey(text: string, { SERVICE_API_KEY: key }: Environment): string {
  return key ? text.replaceAll(key, '[redacted]') : text;
}
