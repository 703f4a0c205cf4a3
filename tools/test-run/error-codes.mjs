// Holds a run of the end-to-end tests to the error catalogue: each of its codes was in an answer of the running product.
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
  const { ERROR_CODES } = await import('../../libs/contracts/dist/index.js');
  const missing = neverAnswered(process.argv[2] ?? '', ERROR_CODES);
  for (const code of missing) process.stderr.write(`error code ${code}: the running product never answered it\n`);
  process.stderr.write(`${ERROR_CODES.length - missing.length} of ${ERROR_CODES.length} error codes were answered\n`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
