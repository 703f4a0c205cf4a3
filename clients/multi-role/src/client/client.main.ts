import { endProgram, writeStderr } from '@launch/client-core/command';
import { REAL_CLOCK } from './await-stage.js';
import { outputFailure, runClient } from './client.cli.js';

const argv = process.argv.slice(2);
const terminal = { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY, say: writeStderr, clock: REAL_CLOCK };
endProgram(await runClient(argv, process.env, undefined, terminal), (fault) => outputFailure(argv, terminal, fault));
