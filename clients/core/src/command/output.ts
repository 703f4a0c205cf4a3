import { writeSync } from 'node:fs';
import { errorCode } from './files.js';

/** The output of a program and its exit code. */
export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Prints the outcome of a program and sets its exit code. If the reader has closed its end, the program ends quietly, as if
 * everything had been read. If standard output cannot take the rest, as on a full disk, the program ends with the result of
 * `failure`.
 *
 * @param failure the program's own form of the fault: one line and the exit code that its help names.
 */
export function endProgram(
  { exitCode, stdout, stderr }: Printed,
  failure: (fault: string) => Omit<Printed, 'stdout'>,
): void {
  // The default action of SIGXFSZ would end the process silently. With a handler, the write fails with EFBIG.
  process.on('SIGXFSZ', () => undefined);
  const code = writeAll(1, stdout);
  const end = code === null ? { exitCode, stderr: '' } : failure(`standard output cannot be written (${code})`);
  writeStderr(`${stderr}${end.stderr}`);
  process.exitCode = end.exitCode;
}

/** Writes to standard error. A fault of that write is ignored, because no channel is left to report it on. */
export const writeStderr = (text: string): void => void writeAll(2, text);

/** Milliseconds between two attempts to write to a pipe with a slow reader. */
const PAUSE_MS = 5;

/**
 * Writes everything before the process ends, even into a pipe with a slow reader. Returns the system's code of the error that
 * ended the write, or null after a complete write or for a closed reader.
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
