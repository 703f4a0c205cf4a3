import { execFile } from 'node:child_process';

export interface ToolResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class ToolError extends Error {
  override readonly name = 'ToolError';

  constructor(
    readonly tool: string,
    readonly result: ToolResult,
  ) {
    super(`${tool} ended with ${result.exitCode}: ${result.stderr.trim() || result.stdout.trim()}`.slice(0, 4_000));
  }
}

const MAX_OUTPUT = 64 * 1024 * 1024;
const TIMEOUT_MS = 180_000;

/** Runs a command line tool to its end and returns what it said; never through a shell. */
export function runTool(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ToolResult> {
  const [file, ...args] = command;
  if (file === undefined) throw new TypeError('an empty command');
  return new Promise((resolve, reject) => {
    execFile(
      file,
      args,
      { env: { PATH: process.env['PATH'], ...env }, maxBuffer: MAX_OUTPUT, timeout: TIMEOUT_MS },
      (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });
}

/** The same for a tool that must succeed and answers with JSON on stdout. @throws ToolError */
export async function runJsonTool<T>(
  tool: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<T> {
  const result = await runTool(command, env);
  if (result.exitCode !== 0) throw new ToolError(tool, result);
  return JSON.parse(result.stdout) as T;
}
