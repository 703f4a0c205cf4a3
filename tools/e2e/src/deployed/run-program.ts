import { spawn } from 'node:child_process';

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Shows the program's output as it comes, beside returning it. */
  readonly shown?: boolean;
  /** The program's standard input. */
  readonly input?: string;
}

const SHOWN_CHARACTERS = 4_000;

/**
 * Runs a program to its end and returns its standard output.
 * @throws Error with the end of its output if it does not end with 0.
 */
export function runProgram(
  command: readonly string[],
  { cwd, env = process.env, shown = false, input = '' }: RunOptions,
): Promise<string> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: 'pipe' });
    // A program that does not read its input may end before all of it is written.
    child.stdin.on('error', () => undefined).end(input);
    const parts = { out: '', all: '' };
    const take = (text: string, isOutput: boolean): void => {
      if (isOutput) parts.out += text;
      parts.all = `${parts.all}${text}`.slice(-SHOWN_CHARACTERS);
      if (shown) process.stderr.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => take(text, true));
    child.stderr.setEncoding('utf8').on('data', (text: string) => take(text, false));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(parts.out);
      else reject(new Error(`${command.slice(0, 8).join(' ')} ended with ${code ?? signal}: ${parts.all}`));
    });
  });
}
