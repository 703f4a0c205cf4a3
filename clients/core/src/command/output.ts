import { writeSync } from 'node:fs';

export const writeStdout = (text: string): void => writeAll(1, text);
export const writeStderr = (text: string): void => writeAll(2, text);

/** Writes everything before the process ends, also into a pipe whose reader is slow. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
