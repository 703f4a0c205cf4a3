import { writeStderr, writeStdout } from '@launch/client-core/command';
import { runIndexReader } from './command/run-index-reader.js';

const { exitCode, stdout, stderr } = await runIndexReader(process.argv.slice(2), process.env);
writeStdout(stdout);
writeStderr(stderr);
process.exitCode = exitCode;
