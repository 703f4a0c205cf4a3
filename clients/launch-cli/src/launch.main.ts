import { helpOf } from './help.js';
import type * as commands from './run-launch.js';

/** The module that runs commands, put here by the build as a text: it is compiled when a command runs. */
declare const LAUNCH_COMMANDS: string;

const argv = process.argv.slice(2);
const help = helpOf(argv);
if (help === null) await run();
else process.stdout.write(help);

async function run(): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());
  const module = `data:text/javascript;base64,${Buffer.from(LAUNCH_COMMANDS, 'utf8').toString('base64')}`;
  try {
    const { runLaunch } = (await import(module)) as typeof commands;
    const { exitCode, stdout, stderr } = await runLaunch(argv, process.env, {
      stdout: process.stdout.isTTY,
      stderr: process.stderr.isTTY,
      signal: interruption.signal,
      program: new URL(import.meta.url),
      progress: (line) => void process.stderr.write(`${line}\n`),
    });
    process.stdout.write(stdout);
    process.stderr.write(stderr);
    process.exitCode = exitCode;
  } catch (error) {
    // The text of the module is its address, which no stack needs.
    process.stderr.write(
      `${String((error as Error).stack).replaceAll(/data:text\/javascript[^\s:)]*(?:;base64,[\w+/=]*)?/g, 'launch')}\n`,
    );
    process.exitCode = 1;
  }
}
