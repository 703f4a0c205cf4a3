import { writeStderr, writeStdout } from '../offline/output.js';
import { runClient } from './client.cli.js';

const { exitCode, stdout, stderr } = await runClient(process.argv.slice(2), process.env);
writeStdout(stdout);
writeStderr(stderr);
process.exitCode = exitCode;
