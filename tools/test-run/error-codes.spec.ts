import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { neverAnswered } from './error-codes.mjs';

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
