import type { ExitCode } from './command.error.js';

/** The result of a command, for programs and for people. */
export interface Outcome {
  readonly exitCode: ExitCode;
  readonly result: object;
  readonly lines: readonly string[];
}
