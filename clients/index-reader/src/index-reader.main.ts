import { setTimeout as pause } from 'node:timers/promises';
import { endProgram, writeStderr } from '@launch/client-core/command';
import { outputFailure } from './command/command.error.js';
import { runIndexReader } from './command/run-index-reader.js';

const terminal = {
  stdout: process.stdout.isTTY,
  stderr: process.stderr.isTTY,
  say: writeStderr,
  sleep: (milliseconds: number) => pause(milliseconds),
};
endProgram(await runIndexReader(process.argv.slice(2), process.env, terminal), (fault) => {
  const { exitCode, failure } = outputFailure(fault);
  return { exitCode, stderr: `${JSON.stringify(failure)}\n` };
});
