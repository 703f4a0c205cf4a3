// `npm test`: every test by what its suffix says it needs, and in the time that these leave of the cores format, lint and the
// types of the tests too. Then each code of the error catalogue must have been in an answer of the running product. One line of
// totals ends it.
// Dependencies, generated code and the build are there already: tools/bootstrap.mjs came first.
import path from 'node:path';
import { cacheFolder } from './cache-folder.mjs';
import { KINDS } from './kinds.mjs';
import { jest, MINUTE, root, runFile, runSteps } from './run-steps.mjs';

const heardCodes = runFile('error-codes');

/** Suites of the running product at a time: three keep two cores busy, and a fourth costs what its stack takes while it waits. */
const E2E_WORKERS = '3';

/** Suites of real parts at a time: the longest wait for blocks and for the pauses of retries, and leave their core to others. */
const INTEGRATION_WORKERS = '4';

/** What the random tests draw from by day: a commit's verdict is about the commit. New seeds are the night's. */
const env = { TEST_SEED: process.env.TEST_SEED ?? '4663' };
const prepareSeconds = Number(process.env.LAUNCH_PREPARE_SECONDS ?? Number.NaN);

/** What asks nothing of a running product takes what the tests leave: they wait for blocks and pauses a tenth of their time. */
const inIdleTime = (name, ...command) => ({ name, command, inIdleTime: true, timeoutMs: 60 * MINUTE });

const lint = inIdleTime('lint', path.join(root, 'tools/lint/run-lint.mjs'));
const format = inIdleTime(
  'format',
  path.join(root, 'node_modules/prettier/bin/prettier.cjs'),
  ...[
    '--log-level',
    'warn',
    '--check',
    '--cache',
    '--cache-location',
    path.join(cacheFolder('prettier'), 'formatted'),
    '.',
  ],
);
/** One thread: several check what all of them need once each, which takes twice the processor time. */
const types = inIdleTime(
  'types',
  path.join(root, 'node_modules/typescript7/bin/tsc'),
  ...['-p', 'tsconfig.tests.json', '--singleThreaded'],
);

const tests = [
  jest('unit', KINDS.unit, '100%', 20 * MINUTE, { env }),
  jest('integration', KINDS.integration, INTEGRATION_WORKERS, 40 * MINUTE, { env }),
  jest('e2e', KINDS.e2e, E2E_WORKERS, 40 * MINUTE, { env: { ...env, LAUNCH_CODE_LEDGER: heardCodes } }),
  { name: 'error codes', timeoutMs: MINUTE, command: [path.join(root, 'tools/test-run/error-codes.mjs'), heardCodes] },
];
const steps = [[[types, lint], [format], tests]];
await runSteps(steps, Number.isFinite(prepareSeconds) ? { prepare: prepareSeconds } : {});
