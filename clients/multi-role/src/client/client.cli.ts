import { lstatSync } from 'node:fs';
import { LIMITS, sha256Digest } from '@launch/contracts';
import { canonicalizeJson, canonicalJsonText } from '@launch/contracts/json';
import { parseArguments, type CommandShape } from '../offline/arguments.js';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';
import { ClientError } from './client.error.js';
import { COMMANDS, type Options } from './commands.js';
import { readApiKey, readOrigin, type Environment } from './environment.js';
import { perform, type PlannedCall } from './planned-call.js';
import { MAX_RESPONSE_BYTES, type Answer } from './transport.js';

const HELP = `client: carries multi-role launch requests to the service, and its answers back

  node client.mjs capabilities
  node client.mjs preflight --request <file>
  node client.mjs create --request <file> [--idempotency-key <key>] [--save-wallet <file>]
  node client.mjs get --launch-id <uuid> [--save-wallet <file>]
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
Every command takes [--save-response <file>], which keeps the response's exact bytes.

SERVICE_API_BASE_URL is the service's HTTPS origin (HTTP on loopback only), SERVICE_API_KEY
the key; capabilities, discovery and the finalized reads need none. Request files are sent byte
for byte. The recovery commands take a kept create or get response: its own context, which must
hash to the contextHash beside it, says whether the launch is of finality V2 or V3.
Nothing is retried, signed or broadcast; files are created new (mode 0600).
Exit codes: 0 done, 2 usage, 3 findings, 4 authorization, 5 not found, 6 conflict,
7 rate limited, 8 unavailable, 9 network or deadline, 10 response not understood, 11 file.
`;

const SHAPES: Readonly<Record<string, CommandShape>> = Object.fromEntries(
  Object.entries(COMMANDS).map(([name, { required, optional }]) => [name, { required, optional: [...(optional ?? []), ...(required.includes('save-response') ? [] : ['save-response'])] }]),
);

/** What a run prints and how it ends. Both texts can be present: an answer that came, and a file that could not be written. */
export interface ClientRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command from arguments to exit code. `deadlineMs` replaces the command's own deadline. */
export async function runClient(argv: readonly string[], environment: Environment, deadlineMs?: number): Promise<ClientRun> {
  if (argv.length === 1 && argv[0] === '--help') return { exitCode: 0, stdout: HELP, stderr: '' };
  const progress: Progress = { submitted: false, result: null };
  try {
    await runCommand(argv, environment, progress, deadlineMs);
    return { exitCode: 0, stdout: line(progress.result), stderr: '' };
  } catch (error) {
    const failure = asClientError(error);
    const text = withoutKey(line(failure.toBody(progress.submitted)), environment['SERVICE_API_KEY']);
    return { exitCode: failure.exitCode, stdout: progress.result === null ? '' : line(progress.result), stderr: text };
  }
}

interface Progress {
  /** A create has been handed to the network. */
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

async function runCommand(argv: readonly string[], environment: Environment, progress: Progress, deadlineMs: number | undefined): Promise<void> {
  const parsed = parseArguments(argv, SHAPES);
  if (!parsed.ok) throw new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', { findings: parsed.findings });
  const { command, options } = parsed;
  refuseExisting(options);
  const planned = COMMANDS[command]!.plan(options, readDocument(options));
  const origin = readOrigin(environment);
  const apiKey = planned.isPublic ? null : readApiKey(environment);
  progress.submitted = command === 'create';
  const answer = await perform(planned, { origin, apiKey, deadlineMs });
  saveAnswer(command, options, planned, answer, progress);
}

/** The files a command reads, each within its bound. */
const DOCUMENTS: Readonly<Record<string, number>> = { request: LIMITS.requestBytes, 'original-launch': MAX_RESPONSE_BYTES };

function readDocument(options: Options): Uint8Array<ArrayBuffer> | null {
  for (const [option, bound] of Object.entries(DOCUMENTS)) {
    const file = options[option];
    if (file === undefined) continue;
    const tooLarge = new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', { findings: [{ path: `--${option}`, message: `is larger than ${bound} bytes` }] });
    return new Uint8Array(readBoundedFile(file, `--${option}`, bound, tooLarge));
  }
  return null;
}

/** Said before anything is sent; the exclusive open at the end is what really keeps a file. */
function refuseExisting(options: Options): void {
  for (const option of ['save-response', 'save-wallet']) {
    const file = options[option];
    if (file !== undefined && lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
      throw new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', { findings: [{ path: `--${option}`, message: 'exists already; files are never overwritten' }] });
    }
  }
}

function saveAnswer(command: string, options: Options, planned: PlannedCall, answer: Answer<object>, progress: Progress): void {
  const result = { schemaVersion: 'service.multi-role-client-result.v2', command, httpStatus: answer.status, replayed: answer.replayed, response: shown(planned, answer) } as const;
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

/** What is printed of an answer: all of it, but of a bundle its address, its size and whose it is. */
function shown(planned: PlannedCall, answer: Answer<object>): object {
  if (planned.addressed === undefined) return answer.value;
  return { contentSha256: sha256Digest(answer.bytes), byteLength: answer.bytes.length, ...planned.addressed(answer.value) };
}

function asClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  if (error instanceof PackError) return new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', { findings: error.findings });
  return new ClientError('MULTI_ROLE_CLIENT_IO_ERROR', { findings: [{ path: '', message: 'the client failed' }] });
}

const line = (value: unknown): string => `${canonicalJsonText(value)}\n`;

/** A service that repeats the key in its refusal does not get it printed. */
const withoutKey = (text: string, key: string | undefined): string => (key ? text.replaceAll(key, '[redacted]') : text);
