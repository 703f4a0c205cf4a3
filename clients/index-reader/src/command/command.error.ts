import { ChainError } from '@launch/chain';
import { ExchangeError } from '@launch/client-core/transport';
import { ReaderError } from '../chain/reader.error.js';
import { ServiceRefusal } from '../feed/service.refusal.js';

export const EXIT = { done: 0, internal: 1, usage: 2, refused: 3, undecided: 4, absent: 5, output: 11 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The line that reports a failure on stderr. It names options and variables, never a value or a URL. */
export interface Failure {
  readonly schemaVersion: 'service.index-reader.error.v1';
  readonly code: string;
  readonly path: string | null;
  readonly message: string;
  /** Whether the same command may succeed later. */
  readonly retryable: boolean;
  /** Seconds that the service asks to wait before; null if it names none. */
  readonly retryAfterSeconds: number | null;
}

type FailureDetail = Partial<Pick<Failure, 'path' | 'retryable' | 'retryAfterSeconds'>>;

/** Makes the line of a failure, with its members in the documented order. */
const failureLine = (code: string, message: string, detail: FailureDetail = {}): Failure => {
  const { path = null, retryable = false, retryAfterSeconds = null } = detail;
  return { schemaVersion: 'service.index-reader.error.v1', code, path, message, retryable, retryAfterSeconds };
};

/** An argument that the command cannot use. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/** Mistakes of the caller, found before anything is read. */
const OF_USAGE: ReadonlySet<string> = new Set(['ENDPOINTS_UNUSABLE', 'ORIGIN_UNUSABLE', 'INPUT_UNUSABLE']);
/** Discovery that contradicts itself. */
const OF_EVIDENCE: ReadonlySet<string> = new Set(['RELEASE_MISMATCH']);

/** Returns the failure of a command whose output cannot be written. */
export function outputFailure(message: string): { readonly exitCode: ExitCode; readonly failure: Failure } {
  return {
    exitCode: EXIT.output,
    failure: failureLine('OUTPUT_FAILED', message),
  };
}

export function failureOf(error: unknown): { readonly exitCode: ExitCode; readonly failure: Failure } {
  if (error instanceof ArgumentError) {
    const { path, message } = error;
    const failure = failureLine('ARGUMENTS_INVALID', message, { path });
    return { exitCode: EXIT.usage, failure };
  }
  if (error instanceof ChainError && error.code === 'RPC_CONFIGURATION_INVALID') {
    const failure = failureLine(error.code, error.message);
    return { exitCode: EXIT.usage, failure };
  }
  if (error instanceof ReaderError || error instanceof ExchangeError) {
    const { message, retryable } = error;
    const code = error instanceof ServiceRefusal ? error.serviceCode : error.code;
    const retryAfterSeconds = (error instanceof ExchangeError ? error.retryAfterSeconds : undefined) ?? null;
    const failure = failureLine(code, message, { retryable, retryAfterSeconds });
    if (OF_USAGE.has(code)) return { exitCode: EXIT.usage, failure };
    return { exitCode: OF_EVIDENCE.has(code) ? EXIT.refused : EXIT.undecided, failure };
  }
  // The text of the fault could contain a private path or an endpoint.
  const message = 'the reader failed';
  return {
    exitCode: EXIT.internal,
    failure: failureLine('READER_INTERNAL', message),
  };
}
