import { writeSync } from 'node:fs';
import { errorCode } from './files.js';

/** What a program prints and how it ends. */
export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Prints the outcome of a program and sets its exit code. A reader that has closed its end wants no more, so the program
 * ends quietly, as if everything had been read. Where standard output cannot take the rest, as on a full disk, the program
 * ends with what `failure` makes of the fault.
 *
 * @param failure the program's own form of the fault: one line and the exit code that its help names.
 */
export function endProgram(
  { exitCode, stdout, stderr }: Printed,
  failure: (fault: string) => Omit<Printed, 'stdout'>,
): void {
  // Its own action would end the process without a word where a file may not grow; the write fails with EFBIG all the same.
  process.on('SIGXFSZ', () => undefined);
  const code = writeAll(1, stdout);
  const end = code === null ? { exitCode, stderr: '' } : failure(`standard output cannot be written (${code})`);
  writeStderr(`${stderr}${end.stderr}`);
  process.exitCode = end.exitCode;
}

/** Writes to standard error, of whose own fault there is nowhere to tell. */
export const writeStderr = (text: string): void => void writeAll(2, text);

/** Milliseconds until a pipe is tried again whose reader is slow. */
const PAUSE_MS = 5;

/**
 * Writes everything before the process ends, also into a pipe whose reader is slow. Returns the system's code of the
 * error that ended the writing, null for nothing and for a reader that is gone.
 */
function writeAll(descriptor: number, text: string): string | null {
  const bytes = Buffer.from(text, 'utf8');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EPIPE') return null;
      if (code !== 'EAGAIN') return code;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
  return null;
}
