import { lstatSync } from 'node:fs';
import { canonicalizeJson, canonicalJsonText } from '@launch/contracts/json';
import { LIMITS, sha256Digest } from '@launch/contracts/primitives';
import { parseArguments, type CommandShape } from '@launch/client-core/command';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';
import { answerText, newsText } from './answer-text.js';
import { awaitStage, readWaiting, REAL_CLOCK, type WaitClock, type WaitingNews } from './await-stage.js';
import { ClientError } from './client.error.js';
import { COMMANDS, type Options } from './commands.js';
import { readApiKey, readOrigin, type Environment } from './environment.js';
import { failureText } from './failure-text.js';
import { perform, type PlannedCall } from './planned-call.js';
import { MAX_RESPONSE_BYTES, type Answer } from './transport.js';

const HELP = `client: carries multi-role launch requests to the service, and its answers back

  node client.mjs capabilities
  node client.mjs preflight --request <file>
  node client.mjs create --request <file> [--idempotency-key <key>] [--save-wallet <file>]
  node client.mjs get --launch-id <uuid> [--save-wallet <file>]
  node client.mjs wait <uuid> --until authorized|submitted|included|posted|finalized
      [--timeout <seconds>] [--save-wallet <file>]
  node client.mjs list [--limit <n>] [--cursor <cursor>]
  node client.mjs transaction-hints --launch-id <uuid> --transaction-hash <hash>
  node client.mjs transaction-hint-status --launch-id <uuid>
  node client.mjs finality --launch-id <uuid>
  node client.mjs evidence --launch-id <uuid> --save-response <file>
  node client.mjs finality-discovery
  node client.mjs recovery-transaction-hints --original-launch <file> --transaction-hash <hash>
  node client.mjs recovery-finality --original-launch <file>
  node client.mjs finalized [--limit <n>] [--cursor <cursor>]
  node client.mjs finalized-record --onchain-launch-id <hash>
Every command takes [--save-response <file>], which keeps the response's exact bytes, and [--json].
Results and failures are text on a terminal, and one line of JSON each in a pipe or with --json.

SERVICE_API_BASE_URL is the service's HTTPS origin (HTTP on loopback only), SERVICE_API_KEY
the key; capabilities, discovery and the finalized reads need none. Request files are sent byte
for byte. The recovery commands take a kept create or get response: its own context, which must
hash to the contextHash beside it, says whether the launch is of finality V2 or V3.
wait reads the launch until it comes to the stage, for 3600 seconds unless told otherwise, and
tells on stderr what moved and what is expected when; it obeys Retry-After, and ends with 3 where
the launch ends before the stage, with 8 when the time is over. No other command asks twice.
Nothing is signed or broadcast; files are created new (mode 0600).
Exit codes: 0 done, 2 usage, 3 findings, 4 authorization, 5 not found, 6 conflict,
7 rate limited, 8 unavailable, 9 network or deadline, 10 response not understood, 11 file.
`;

const SHAPES: Readonly<Record<string, CommandShape>> = Object.fromEntries(
  Object.entries(COMMANDS).map(([name, { required, optional, operand }]) => [
    name,
    {
      required,
      optional: [...(optional ?? []), ...(required.includes('save-response') ? [] : ['save-response'])],
      flags: ['json'],
      ...(operand === undefined ? {} : { operand }),
    },
  ]),
);

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
  if (argv.length === 1 && argv[0] === '--help') return { exitCode: 0, stdout: HELP, stderr: '' };
  const read = argv.includes('--json') ? { ...terminal, stdout: false, stderr: false } : terminal;
  const resultText = (result: CommandResult): string =>
    read.stdout ? answerText(result, read.clock.now()) : line(result);
  const progress: Progress = { submitted: false, result: null };
  try {
    await runCommand(argv, environment, progress, deadlineMs, read);
    return { exitCode: 0, stdout: progress.result === null ? '' : resultText(progress.result), stderr: '' };
  } catch (error) {
    const failure = asClientError(error);
    const body = failure.toBody(progress.submitted);
    // On a terminal that shows both, the launch above already shows its end.
    const isReported = read.stdout && progress.result !== null && failure.code === 'MULTI_ROLE_CLIENT_LAUNCH_ENDED';
    const text = withoutKey(
      read.stderr ? failureText(isReported ? { ...body, findings: [] } : body) : line(body),
      environment,
    );
    return {
      exitCode: failure.exitCode,
      stdout: progress.result === null ? '' : resultText(progress.result),
      stderr: text,
    };
  }
}

/** Returns the failure of a run whose output cannot be written. A create was sent before its answer is printed. */
export function outputFailure(
  argv: readonly string[],
  terminal: Pick<ClientTerminal, 'stderr'>,
  message: string,
): Omit<ClientRun, 'stdout'> {
  const failure = new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', { findings: [{ path: '', message }] });
  const body = failure.toBody(argv[0] === 'create');
  return {
    exitCode: failure.exitCode,
    stderr: terminal.stderr && !argv.includes('--json') ? failureText(body) : line(body),
  };
}

interface Progress {
  /** Whether a create was passed to the network. */
  submitted: boolean;
  result: CommandResult | null;
}

interface CommandResult {
  readonly schemaVersion: 'service.multi-role-client-result.v2';
  readonly command: string;
  readonly httpStatus: number;
  readonly replayed: boolean;
  readonly walletSaved: boolean;
  readonly responseSaved: boolean;
  readonly response: object;
}

async function runCommand(
  argv: readonly string[],
  environment: Environment,
  progress: Progress,
  deadlineMs: number | undefined,
  terminal: ClientTerminal,
): Promise<void> {
  const parsed = parseArguments(argv, SHAPES);
  if (!parsed.ok) throw new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', { findings: parsed.findings });
  const { command, options } = parsed;
  refuseExisting(options);
  const planned = COMMANDS[command]!.plan(options, readDocument(options));
  const waiting = command === 'wait' ? readWaiting(options) : null;
  const origin = readOrigin(environment);
  const apiKey = planned.isPublic ? null : readApiKey(environment);
  progress.submitted = command === 'create';
  if (waiting === null)
    return saveAnswer(command, options, planned, await perform(planned, { origin, apiKey, deadlineMs }), progress);
  const tell = (news: WaitingNews): void =>
    terminal.say(
      withoutKey(terminal.stderr ? newsText(news, terminal.clock.now()) : line({ waiting: news }), environment),
    );
  const { answer, failure } = await awaitStage(planned, { origin, apiKey }, waiting, tell, terminal.clock);
  if (answer !== null) saveAnswer(command, options, planned, answer, progress);
  if (failure !== null) throw failure;
}

/** The files that a command reads, each with its bound. */
const DOCUMENTS: Readonly<Record<string, number>> = {
  request: LIMITS.requestBytes,
  'original-launch': MAX_RESPONSE_BYTES,
};

function readDocument(options: Options): Uint8Array<ArrayBuffer> | null {
  for (const [option, bound] of Object.entries(DOCUMENTS)) {
    const file = options[option];
    if (file === undefined) continue;
    const tooLarge = new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', {
      findings: [{ path: `--${option}`, message: `is larger than ${bound} bytes` }],
    });
    return new Uint8Array(readBoundedFile(file, `--${option}`, bound, tooLarge));
  }
  return null;
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

function saveAnswer(
  command: string,
  options: Options,
  planned: PlannedCall,
  answer: Answer<object>,
  progress: Progress,
): void {
  const result = {
    schemaVersion: 'service.multi-role-client-result.v2',
    command,
    httpStatus: answer.status,
    replayed: answer.replayed,
    response: shown(planned, answer),
  } as const;
  progress.result = { ...result, walletSaved: false, responseSaved: false };
  const responseFile = options['save-response'];
  if (responseFile !== undefined) writeNewFile(responseFile, '--save-response', answer.bytes);
  progress.result = { ...result, walletSaved: false, responseSaved: responseFile !== undefined };
  const walletFile = options['save-wallet'];
  const wallet = planned.walletOf?.(answer.value) ?? null;
  if (walletFile === undefined || wallet === null) return;
  writeNewFile(walletFile, '--save-wallet', canonicalizeJson(wallet));
  progress.result = { ...progress.result, walletSaved: true };
}

/** Returns the printed part of an answer: all of it or, for a bundle, its address, size and launch. */
function shown(planned: PlannedCall, answer: Answer<object>): object {
  if (planned.addressed === undefined) return answer.value;
  return {
    contentSha256: sha256Digest(answer.bytes),
    byteLength: answer.bytes.length,
    ...planned.addressed(answer.value),
  };
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
