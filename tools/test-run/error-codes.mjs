// Holds a run of the end-to-end tests to the error catalogues: each of their codes was in an answer of the running product.
//
//   node tools/test-run/error-codes.mjs <what the run heard: a code a line, tools/e2e/src/code-ledger.ts>
import { existsSync, readFileSync } from 'node:fs';

/** Codes of the catalogue that no answer had, in its order. */
export function neverAnswered(ledger, catalogue) {
  const heard = new Set(existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n') : []);
  return catalogue.filter((code) => !heard.has(code));
}

if (import.meta.main) {
  // As it was built for the services that answered.
  const { CUSTOM_LAUNCH_CODES, ERROR_CODES, REVIEWER_CODES } = await import('../../libs/contracts/dist/index.js');
  const catalogue = [...new Set([...ERROR_CODES, ...CUSTOM_LAUNCH_CODES, ...REVIEWER_CODES])];
  const missing = neverAnswered(process.argv[2] ?? '', catalogue);
  for (const code of missing) process.stderr.write(`error code ${code}: the running product never answered it\n`);
  process.stderr.write(`${catalogue.length - missing.length} of ${catalogue.length} error codes were answered\n`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
