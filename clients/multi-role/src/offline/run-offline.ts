import { canonicalJsonText } from '@launch/contracts/json';
import { writeStderr, writeStdout } from './output.js';
import { PackError } from './pack.error.js';

/**
 * Runs one command of an offline tool to its exit code: its result as a line of JSON on stdout, a refusal as
 * a line of JSON on stderr. A fault that is no refusal ends as an I/O error without its text, which could
 * name private paths.
 */
export async function runOffline(command: () => unknown): Promise<number> {
  try {
    const result = await command();
    if (typeof result === 'string') writeStdout(result);
    else writeStdout(`${canonicalJsonText(result)}\n`);
    return 0;
  } catch (error) {
    const refusal = error instanceof PackError ? error : new PackError('MULTI_ROLE_PACK_IO_ERROR', [{ path: '', message: 'the tool failed' }]);
    writeStderr(`${canonicalJsonText(refusal.toBody())}\n`);
    return refusal.exitCode;
  }
}
