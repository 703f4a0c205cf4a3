import { canonicalJsonText } from '@launch/contracts/json';
import { endProgram, type Printed } from '@launch/client-core/command';
import { PackError, type PackErrorBody } from './pack.error.js';

/**
 * Runs one command of an offline tool and ends the program with its exit code. Its result is a line of JSON on stdout. A
 * refusal is a line of JSON on stderr, or text where that is a terminal. Any other fault ends as an I/O error without its text,
 * which could name private paths.
 */
export async function runOffline(command: () => unknown): Promise<void> {
  endProgram(await printed(command), (fault) => refused(ioError(fault)));
}

async function printed(command: () => unknown): Promise<Printed> {
  try {
    const result = await command();
    const stdout = typeof result === 'string' ? result : `${canonicalJsonText(result)}\n`;
    return { exitCode: 0, stdout, stderr: '' };
  } catch (error) {
    return { stdout: '', ...refused(error instanceof PackError ? error : ioError('the tool failed')) };
  }
}

const ioError = (message: string): PackError => new PackError('MULTI_ROLE_PACK_IO_ERROR', [{ path: '', message }]);

const refused = (refusal: PackError): Omit<Printed, 'stdout'> => ({
  exitCode: refusal.exitCode,
  stderr: process.stderr.isTTY ? refusalText(refusal.toBody()) : `${canonicalJsonText(refusal.toBody())}\n`,
});

/** Formats a refusal for a terminal: each finding with its place, and the expected and actual value of a number. */
export function refusalText({ code, message, findings }: PackErrorBody): string {
  const lines = findings.flatMap((finding) => [
    `  ${finding.path === '' ? 'the input' : finding.path} ${finding.message}`,
    ...(finding.expected === undefined ? [] : [`      expected  ${finding.expected}`]),
    ...(finding.actual === undefined ? [] : [`      actual    ${finding.actual}`]),
  ]);
  return [`${message} (${code})`, ...lines, ''].join('\n');
}
