#!/usr/bin/env node
import { endProgram } from '@launch/client-core/command';
import { failed, runVerify } from './verify.cli.js';
import { VerifyError } from './verify.error.js';

// npm starts its scripts in the package's folder; file names are relative to the caller's folder.
const { INIT_CWD: caller, npm_lifecycle_event: script } = process.env;
if (script === 'launch-verify' && caller !== undefined) process.chdir(caller);

endProgram(await runVerify(process.argv.slice(2)), (fault) =>
  failed(new VerifyError('VERIFY_IO_ERROR', `The verdict cannot be printed: ${fault}.`)),
);
