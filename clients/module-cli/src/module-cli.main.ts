import { writeStderr, writeStdout } from '@launch/client-core/command';
import type { Release } from './commands.js';
import { runModuleCli } from './run-module-cli.js';

/** Which release this file is, put here by the build. */
declare const MODULE_CLI_RELEASE: Release;

const { exitCode, stdout, stderr } = await runModuleCli(process.argv.slice(2), process.env, MODULE_CLI_RELEASE);
writeStdout(stdout);
writeStderr(stderr);
process.exitCode = exitCode;
