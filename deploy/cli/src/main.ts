#!/usr/bin/env node
import { endProgram, writeStderr } from '@launch/client-core/command';
import { releaseOfCheckout } from './checkout.js';
import { runDeploy } from './deploy.cli.js';
import { DEPLOY_EXIT_CODES } from './deploy.error.js';

// npm starts its scripts in the package's folder; paths are relative to the folder that npm was called in.
const { INIT_CWD: caller, npm_lifecycle_event: script } = process.env;
if (script === 'launch-deploy' && caller !== undefined) process.chdir(caller);

endProgram(
  await runDeploy(process.argv.slice(2), {
    env: process.env,
    release: releaseOfCheckout,
    progress: (line) => writeStderr(`${line}\n`),
  }),
  (fault) => ({
    exitCode: DEPLOY_EXIT_CODES.OUTPUT_NOT_WRITTEN,
    stderr: `launch-deploy: OUTPUT_NOT_WRITTEN: the command was carried out, but ${fault}\n`,
  }),
);
