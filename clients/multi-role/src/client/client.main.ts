import { writeStderr, writeStdout } from '@launch/client-core/command';
import { REAL_CLOCK } from './await-stage.js';
import { runClient } from './client.cli.js';

const terminal = { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY, say: writeStderr, clock: REAL_CLOCK };
const { exitCode, stdout, stderr } = await runClient(process.argv.slice(2), process.env, undefined, terminal);
writeStdout(stdout);
writeStderr(stderr);
process.exitCode = exitCode;
