import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const known = new Set<string>();

/**
 * Appends every error and finding code of an answer, one per line, to the file that LAUNCH_CODE_LEDGER names, if it is set.
 * After `npm run test:full` the target `error-codes` compares the file with the catalogue: a code without an answer is dead.
 */
export function noteCodes(body: unknown): void {
  const ledger = process.env['LAUNCH_CODE_LEDGER'];
  if (ledger === undefined || ledger === '') return;
  for (const code of codesWithin(body)) {
    if (known.has(code)) continue;
    if (known.size === 0) mkdirSync(path.dirname(ledger), { recursive: true });
    known.add(code);
    appendFileSync(ledger, `${code}\n`);
  }
}

/** Yields the values of every `code` and every member of `findingCodes`, at any depth. */
function* codesWithin(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'code' && typeof inner === 'string') yield inner;
    else if (name === 'findingCodes' && Array.isArray(inner)) yield* inner.filter((one) => typeof one === 'string');
    else yield* codesWithin(inner);
  }
}
