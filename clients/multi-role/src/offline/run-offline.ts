import { canonicalJsonText } from '@launch/contracts/json';
import { endProgram, helpFor, refusalLine, type Printed, type ProgramDeclaration } from '@launch/client-core/command';
import { PackError, type PackErrorBody } from './pack.error.js';

/**
 * Runs one command of an offline tool and ends the program with its exit code. Its result is a line of JSON on stdout. A
 * refusal is a line of JSON on stderr, or text where that is a terminal. Any other fault ends as an I/O error without its text,
 * which could name private paths.
 */
export async function runOffline(
  program: ProgramDeclaration,
  argv: readonly string[],
  command: (argv: readonly string[]) => unknown,
): Promise<void> {
  const isText = process.stderr.isTTY && !argv.includes('--json');
  const refused = (refusal: PackError): Omit<Printed, 'stdout'> => ({
    exitCode: refusal.exitCode,
    stderr: isText ? textOf(program, argv, refusal) : `${canonicalJsonText(bodyOf(program, argv, refusal))}\n`,
  });
  endProgram(await printed(() => command(argv), refused), (fault) => refused(ioError(fault)));
}

async function printed(
  command: () => unknown,
  refused: (refusal: PackError) => Omit<Printed, 'stdout'>,
): Promise<Printed> {
  try {
    const result = await command();
    const stdout = typeof result === 'string' ? result : `${canonicalJsonText(result)}\n`;
    return { exitCode: 0, stdout, stderr: '' };
  } catch (error) {
    return { stdout: '', ...refused(error instanceof PackError ? error : ioError('the tool failed')) };
  }
}

const ioError = (message: string): PackError => new PackError('MULTI_ROLE_PACK_IO_ERROR', [{ path: '', message }]);

const isUsage = ({ code }: PackError): boolean => code === 'MULTI_ROLE_PACK_ARGUMENTS_INVALID';

/** Returns the body of a refusal. That of a command line names the help to read next. */
function bodyOf(program: ProgramDeclaration, argv: readonly string[], refusal: PackError): PackErrorBody {
  const body = refusal.toBody();
  return isUsage(refusal) ? { ...body, message: `${body.message} Run ${helpFor(program, argv)}.` } : body;
}

const textOf = (program: ProgramDeclaration, argv: readonly string[], refusal: PackError): string =>
  isUsage(refusal)
    ? `${program.name}: ${refusalLine({ findings: refusal.findings, help: helpFor(program, argv) })}\n`
    : refusalText(refusal.toBody());

/** Formats a refusal for a terminal: each finding with its place, and the expected and actual value of a number. */
export function refusalText({ code, message, findings }: PackErrorBody): string {
  const lines = findings.flatMap((finding) => [
    `  ${finding.path === '' ? 'the input' : finding.path} ${finding.message}`,
    ...(finding.expected === undefined ? [] : [`      expected  ${finding.expected}`]),
    ...(finding.actual === undefined ? [] : [`      actual    ${finding.actual}`]),
  ]);
  return [`${message} (${code})`, ...lines, ''].join('\n');
}
