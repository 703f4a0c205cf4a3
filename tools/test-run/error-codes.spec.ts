import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUILD_FAILURE_CODES } from '@launch/contracts';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { HEARD_OF_THE_BUILDER, neverAnswered } from './error-codes.mjs';

it('names each code of the catalogue that a run has not heard', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'launch-codes-'));
  try {
    const ledger = path.join(folder, 'heard');
    writeFileSync(ledger, 'NOT_FOUND\nINTERNAL\nNOT_FOUND\nELSEWHERE\n');
    expect(neverAnswered(ledger, ['NOT_FOUND', 'RATE_LIMITED', 'INTERNAL', 'NONCE'])).toEqual([
      'RATE_LIMITED',
      'NONCE',
    ]);
    expect(neverAnswered(ledger, ['NOT_FOUND'])).toEqual([]);
    expect(neverAnswered(path.join(folder, 'nothing'), ['NOT_FOUND'])).toEqual(['NOT_FOUND']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a code of a failed build that no answer need have is in a test of the real builder', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const exceptions = Object.entries(HEARD_OF_THE_BUILDER as Record<string, string>);
  for (const [code, file] of exceptions) {
    expect(BUILD_FAILURE_CODES).toContain(code);
    expect([code, readFileSync(path.join(root, file), 'utf8').includes(`'${code}'`)]).toEqual([code, true]);
  }
});
