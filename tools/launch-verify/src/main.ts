import { runVerify } from './verify.cli.js';

// npm starts its scripts in the package's folder; files are meant from where npm was called.
const { INIT_CWD: caller, npm_lifecycle_event: script } = process.env;
if (script === 'launch-verify' && caller !== undefined) process.chdir(caller);

const { exitCode, stdout, stderr } = await runVerify(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
