import type { ExitCode } from './command.error.js';

/** What a command found, for programs and for people. */
export interface Outcome {
  readonly exitCode: ExitCode;
  readonly result: object;
  readonly lines: readonly string[];
}
