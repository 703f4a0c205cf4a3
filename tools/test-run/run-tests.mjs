// `npm test`: format, lint, types of the tests too, then every test by what its suffix says it needs. One line of
// totals ends it. Then each code of the error catalogue must have been in an answer of the running product.
// Dependencies, generated code and the build are there already: tools/bootstrap.mjs came first.
import path from 'node:path';
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

const format = {
  name: 'format',
  timeoutMs: 10 * MINUTE,
  command: [path.join(root, 'node_modules', 'oxfmt', 'bin', 'oxfmt'), '--check', '.'],
};
const lint = {
  name: 'lint',
  timeoutMs: 30 * MINUTE,
  yields: true,
  command: [path.join(root, 'tools/lint/run-lint.mjs')],
};
const types = {
  name: 'types',
  timeoutMs: 30 * MINUTE,
  yields: true,
  // One thread: several check what all of them need once each, which takes twice the processor time.
  command: [path.join(root, 'node_modules/typescript7/bin/tsc'), '-p', 'tsconfig.tests.json', '--singleThreaded'],
};

// Types and lint take what tests leave. The end-to-end stage leaves most: its three longest suites come first, and mostly wait.
const steps = [
  format,
  jest('unit', KINDS.unit, '100%', 20 * MINUTE, { env }),
  jest('integration', KINDS.integration, INTEGRATION_WORKERS, 40 * MINUTE, { env }),
  [
    [types, lint],
    [jest('e2e', KINDS.e2e, E2E_WORKERS, 40 * MINUTE, { env: { ...env, LAUNCH_CODE_LEDGER: heardCodes } })],
  ],
  { name: 'error codes', timeoutMs: MINUTE, command: [path.join(root, 'tools/test-run/error-codes.mjs'), heardCodes] },
];
await runSteps(steps, Number.isFinite(prepareSeconds) ? { prepare: prepareSeconds } : {});
