import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { SignerErrorCode } from './signer.errors.js';

/** One use of OpenSC's `pkcs11-tool`. */
export interface ToolCall {
  readonly args: readonly string[];
  /** Bytes for standard input; none by default. */
  readonly input?: Uint8Array;
  /** The PIN, for calls that log in. */
  readonly pin?: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export type ToolResult =
  | { readonly kind: 'done'; readonly stdout: Buffer }
  | {
      readonly kind: 'failed';
      readonly code: SignerErrorCode;
      readonly reason: string;
      /** Whether the token counted, or may have counted, a wrong PIN. */
      readonly isPinRefused: boolean;
    };

export interface Pkcs11Tool {
  run(call: ToolCall): Promise<ToolResult>;
  /** Resolves once no process of this tool is left. */
  idle(): Promise<void>;
}

/** The variable that carries the PIN: other users can read the arguments of a process, but not its environment. */
const PIN_VARIABLE = 'PERMIT_PIN';
const MAX_ERROR_BYTES = 16 * 1024;

/**
 * Creates the runner of `pkcs11-tool`. Each call is one process in a group of its own, with `environment` alone, and
 * killed with its group when the signal aborts. Results have no text of the tool or the module.
 * @param program absolute path of `pkcs11-tool`.
 * @param environment the variables that the module needs.
 */
export function createPkcs11Tool(program: string, environment: Readonly<Record<string, string>>): Pkcs11Tool {
  let running: Promise<unknown> = Promise.resolve();

  return {
    idle: () => running.then(() => undefined),
    run(call) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      running = Promise.all([running, ended]);
      return new Promise((resolve) => {
        try {
          start(program, environment, call, resolve, end);
        } catch {
          // Without descriptors or memory, Node.js has no process to report about.
          end();
          resolve(unavailable('tool not started'));
        }
      });
    },
  };
}

function start(
  program: string,
  environment: Readonly<Record<string, string>>,
  { args, input, pin, maxBytes, signal }: ToolCall,
  onResult: (result: ToolResult) => void,
  onEnd: () => void,
): void {
  const login = pin === undefined ? [] : ['--login', `--pin=env:${PIN_VARIABLE}`];
  const child = spawn(program, [...args, ...login], {
    cwd: '/',
    detached: true,
    env: { ...environment, ...(pin === undefined ? {} : { [PIN_VARIABLE]: pin }) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const settle = (result: ToolResult): void => {
    signal.removeEventListener('abort', onAbort);
    onResult(result);
  };
  const stop = (reason: string): void => {
    killGroup(child.pid);
    settle(unavailable(reason));
  };
  const onAbort = (): void => stop('tool timed out');

  child.once('error', ({ code }: NodeJS.ErrnoException) => {
    onEnd();
    settle(unavailable(code === 'ENOENT' ? 'tool missing' : `tool not started ${code ?? ''}`.trim()));
  });
  child.once('exit', onEnd);
  const stdout = collect(child.stdout, maxBytes, () => stop('answer too long'));
  const stderr = collect(child.stderr, MAX_ERROR_BYTES, () => undefined);
  child.once('close', (exitCode, killedBy) => {
    if (exitCode === 0) settle({ kind: 'done', stdout: stdout() });
    else if (killedBy !== null) settle(unavailable('tool killed'));
    else settle(failureOf(stderr().toString('latin1')));
  });
  // The tool may end before it reads; its end is what counts.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
}

const failed = (code: SignerErrorCode, reason: string, isPinRefused = false): ToolResult => ({
  kind: 'failed',
  code,
  reason,
  isPinRefused,
});
const unavailable = (reason: string): ToolResult => failed('SIGNER_UNAVAILABLE', reason);

/** The phrases of `pkcs11-tool` for failures that are not a return value of PKCS#11. */
const PHRASES: readonly (readonly [RegExp, SignerErrorCode, string])[] = [
  [/Failed to load pkcs11 module/i, 'SIGNER_UNAVAILABLE', 'module not loaded'],
  [/No slot with (?:a )?token named/i, 'SIGNER_UNAVAILABLE', 'token absent'],
  [/(?:Private key|object) not found/i, 'SIGNER_REFUSED', 'key absent'],
];
const LOGIN_FAILURE = /C_Login failed: rv = (\w+)/;
const ANY_FAILURE = /\bCKR_[A-Z0-9_]{1,56}\b/;
/** Failures of a login before the token compared the PIN. Any other may have counted, also a vendor's own code. */
const BEFORE_THE_PIN = /^CKR_(?:DEVICE_\w+|HOST_MEMORY|SESSION_\w+|TOKEN_\w+)$/;

function failureOf(text: string): ToolResult {
  const login = LOGIN_FAILURE.exec(text)?.[1];
  const reason = ANY_FAILURE.exec(text)?.[0];
  if (login !== undefined && !BEFORE_THE_PIN.test(login))
    return failed('SIGNER_REFUSED', reason ?? 'login failed', true);
  for (const [phrase, code, meaning] of PHRASES) if (phrase.test(text)) return failed(code, meaning);
  return unavailable(reason ?? 'tool failed');
}

/** Collects at most `maxBytes`, and returns a function that gives them. */
function collect(stream: Readable, maxBytes: number, onTooLong: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    if (length > maxBytes) return;
    length += chunk.byteLength;
    if (length > maxBytes) onTooLong();
    else chunks.push(chunk);
  });
  stream.on('error', () => undefined);
  return () => Buffer.concat(chunks);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It ended a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
