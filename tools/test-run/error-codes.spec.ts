import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ERROR_CODES } from '@launch/contracts/errors';
import { BUILD_FAILURE_CODES } from '@launch/contracts/modules';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { HEARD_OF_ADMISSION, HEARD_OF_THE_BUILDER, neverAnswered } from './error-codes.mjs';

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

it.each<[string, Record<string, string>, readonly string[]]>([
  ['a failed build', HEARD_OF_THE_BUILDER, BUILD_FAILURE_CODES],
  ['a launch', HEARD_OF_ADMISSION, ERROR_CODES],
])('a code of %s that no answer need have is in a test of the real service', (_what, exceptions, catalogue) => {
  const root = path.resolve(import.meta.dirname, '../..');
  for (const [code, file] of Object.entries(exceptions)) {
    expect(catalogue).toContain(code);
    expect([code, readFileSync(path.join(root, file), 'utf8').includes(`'${code}'`)]).toEqual([code, true]);
  }
});
