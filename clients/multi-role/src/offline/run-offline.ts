import { canonicalJsonText } from '@launch/contracts/json';
import { writeStderr, writeStdout } from '@launch/client-core/command';
import { PackError, type PackErrorBody } from './pack.error.js';

/**
 * Runs one command of an offline tool to its exit code. Its result is a line of JSON on stdout. A refusal is a line of
 * JSON on stderr, or text where that is a terminal. A fault that is no refusal ends as an I/O error without its text,
 * which could name private paths.
 */
export async function runOffline(command: () => unknown): Promise<number> {
  try {
    const result = await command();
    if (typeof result === 'string') writeStdout(result);
    else writeStdout(`${canonicalJsonText(result)}\n`);
    return 0;
  } catch (error) {
    const refusal =
      error instanceof PackError
        ? error
        : new PackError('MULTI_ROLE_PACK_IO_ERROR', [{ path: '', message: 'the tool failed' }]);
    writeStderr(process.stderr.isTTY ? refusalText(refusal.toBody()) : `${canonicalJsonText(refusal.toBody())}\n`);
    return refusal.exitCode;
  }
}

/** A refusal for a terminal: each finding with its place, and what is expected and stands there where that is a number. */
export function refusalText({ code, message, findings }: PackErrorBody): string {
  const lines = findings.flatMap((finding) => [
    `  ${finding.path === '' ? 'the input' : finding.path} ${finding.message}`,
    ...(finding.expected === undefined ? [] : [`      expected  ${finding.expected}`]),
    ...(finding.actual === undefined ? [] : [`      actual    ${finding.actual}`]),
  ]);
  return [`${message} (${code})`, ...lines, ''].join('\n');
}
