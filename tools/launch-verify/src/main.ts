import { runVerify } from './verify.cli.js';

const { exitCode, stdout, stderr } = await runVerify(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
