#!/usr/bin/env node
import { endProgram } from '@launch/client-core/command';
import { failed, runVerify } from './verify.cli.js';
import { VerifyError } from './verify.error.js';

// npm starts its scripts in the package's folder; file names are relative to the caller's folder.
const { INIT_CWD: caller, npm_lifecycle_event: script } = process.env;
if (script === 'launch-verify' && caller !== undefined) process.chdir(caller);

const argv = process.argv.slice(2);
const isText = process.stderr.isTTY && !argv.includes('--json');
endProgram(await runVerify(argv, isText), (fault) =>
  failed(new VerifyError('VERIFY_IO_ERROR', `The verdict cannot be printed: ${fault}.`), isText),
);
