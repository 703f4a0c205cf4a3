// Holds the tests to the error catalogues: each code was in an answer over HTTP, and so was each code with which a module's
// build fails. The answers are those of the running product (journeys and end-to-end tests). A refusal that the gateway decides
// by itself also counts from its integration tests (apps/api-gateway/src/fixtures/http.client.ts).
//
//   node tools/test-run/error-codes.mjs <folder of the codes that the tests heard, one per line (libs/testing/src/code-ledger.ts)>
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Codes of failed builds that no answer of the running product has, and the test of the real builder that has each: a
 * compiler that works gives the same bytes twice, and three builders that are killed are a suite of their own.
 */
export const HEARD_OF_THE_BUILDER = {
  NON_REPRODUCIBLE: 'apps/module-builder/src/build-module.integration.spec.ts',
  JOB_ABANDONED: 'apps/module-review/src/main.integration.spec.ts',
};

/**
 * Codes of answers that the end-to-end tests leave out, and the test that has each: compilers at work for minutes would hold up
 * every suite beside.
 */
export const HEARD_OF_ADMISSION = {
  COMPILE_BUDGET_EXCEEDED: 'apps/admission-worker/src/compilation/fair-compilation.integration.spec.ts',
};

/** Returns the codes of the catalogue that no file of the folder has, in the catalogue's order. */
export function neverAnswered(ledgers, catalogue) {
  const heard = new Set(
    readdirSync(ledgers).flatMap((file) => readFileSync(path.join(ledgers, file), 'utf8').split('\n')),
  );
  return catalogue.filter((code) => !heard.has(code));
}

if (import.meta.main) {
  // As it was built for the services that answered.
  const { CUSTOM_LAUNCH_CODES, ERROR_CODES, REVIEWER_CODES } =
    await import('../../libs/contracts/dist/errors/index.js');
  const { BUILD_FAILURE_CODES } = await import('../../libs/contracts/dist/modules/index.js');
  const failures = BUILD_FAILURE_CODES.filter((code) => !(code in HEARD_OF_THE_BUILDER));
  const catalogue = [...new Set([...ERROR_CODES, ...CUSTOM_LAUNCH_CODES, ...REVIEWER_CODES, ...failures])].filter(
    (code) => !(code in HEARD_OF_ADMISSION),
  );
  const missing = neverAnswered(process.argv[2] ?? '', catalogue);
  for (const code of missing) process.stderr.write(`error code ${code}: no test received it in an answer\n`);
  process.stderr.write(`${catalogue.length - missing.length} of ${catalogue.length} error codes were answered\n`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
