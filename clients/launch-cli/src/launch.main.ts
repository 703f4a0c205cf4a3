import { endProgram, readCommandLine, writeStderr, type Printed } from '@launch/client-core/command';
import { LAUNCH } from './commands.js';
import { EXIT } from './launch.error.js';
import { outputFailure } from './output-failure.js';
import type * as commands from './run-launch.js';

/** The module that runs commands. The build puts it here as a text; it is compiled when a command runs. */
declare const LAUNCH_COMMANDS: string;

const argv = process.argv.slice(2);
const line = readCommandLine(LAUNCH, argv);
const printed = line.kind === 'text' ? { exitCode: EXIT.done, stdout: line.text, stderr: '' } : await run();
endProgram(printed, (fault) => outputFailure(argv, process.stderr.isTTY, fault));

async function run(): Promise<Printed> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());
  const module = `data:text/javascript;base64,${Buffer.from(LAUNCH_COMMANDS, 'utf8').toString('base64')}`;
  try {
    const { runLaunch } = (await import(module)) as typeof commands;
    return await runLaunch(argv, process.env, {
      stdout: process.stdout.isTTY,
      stderr: process.stderr.isTTY,
      signal: interruption.signal,
      program: new URL(import.meta.url),
      progress: (line) => writeStderr(`${line}\n`),
    });
  } catch (error) {
    // The text of the module is its address, which a stack trace does not need.
    const stack = String((error as Error).stack).replaceAll(
      /data:text\/javascript[^\s:)]*(?:;base64,[\w+/=]*)?/g,
      'launch',
    );
    return { exitCode: 1, stdout: '', stderr: `${stack}\n` };
  }
}
