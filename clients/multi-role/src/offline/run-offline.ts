import { writeSync } from 'node:fs';
import { canonicalJsonText } from '@launch/contracts/json';
import { PackError } from './pack.error.js';

const STDOUT = 1;
const STDERR = 2;

/**
 * Runs one command of an offline tool to its exit code: its result as a line of JSON on stdout, a refusal as
 * a line of JSON on stderr. A fault that is no refusal ends as an I/O error without its text, which could
 * name private paths.
 */
export async function runOffline(command: () => unknown): Promise<number> {
  try {
    const result = await command();
    if (typeof result === 'string') writeAll(STDOUT, result);
    else writeAll(STDOUT, `${canonicalJsonText(result)}\n`);
    return 0;
  } catch (error) {
    const refusal = error instanceof PackError ? error : new PackError('MULTI_ROLE_PACK_IO_ERROR', [{ path: '', message: 'the tool failed' }]);
    writeAll(STDERR, `${canonicalJsonText(refusal.toBody())}\n`);
    return refusal.exitCode;
  }
}

/** Writes everything before the process ends, also into a pipe whose reader is slow. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
