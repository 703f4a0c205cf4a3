import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endProgram, writeStderr } from '@launch/client-core/command';
import type { Release } from './commands.js';
import { outputFailure, runModuleCli } from './run-module-cli.js';

/** The release of this file, defined by the build. */
declare const MODULE_CLI_RELEASE: Release;

const argv = process.argv.slice(2);
const terminal = {
  stderr: process.stderr.isTTY,
  say: writeStderr,
  sleep: (milliseconds: number) => pause(milliseconds),
};
endProgram(await runModuleCli(argv, process.env, MODULE_CLI_RELEASE, fileURLToPath(import.meta.url), terminal), () =>
  outputFailure(argv),
);
