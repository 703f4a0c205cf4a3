import { execFile, type ExecFileOptions } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Runs a program to its end, like `execFile`. An aborted signal asks it to end, and the promise then waits for the end,
 * after which the program writes nothing more.
 * @throws the signal's reason; otherwise the errors of `execFile`.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: Omit<ExecFileOptions, 'signal' | 'encoding'>,
  signal?: AbortSignal,
): Promise<{ stdout: string; stderr: string }> {
  signal?.throwIfAborted();
  const running = execute(program, [...args], { ...options, encoding: 'utf8' });
  const end = (): void => void running.child.kill('SIGTERM');
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await running;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
