import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ERROR_CODES } from '@launch/contracts/errors';
import { BUILD_FAILURE_CODES } from '@launch/contracts/modules';
// @ts-expect-error plain JavaScript: it runs before the types are checked
import { HEARD_OF_ADMISSION, HEARD_OF_THE_BUILDER, neverAnswered } from './error-codes.mjs';

it('The check of error codes names each code of the catalogue that no file of the run has.', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'launch-codes-'));
  try {
    expect(neverAnswered(folder, ['NOT_FOUND'])).toEqual(['NOT_FOUND']);
    writeFileSync(path.join(folder, 'journey'), 'NOT_FOUND\nINTERNAL\nNOT_FOUND\n');
    writeFileSync(path.join(folder, 'e2e'), 'ELSEWHERE\nRATE_LIMITED\n');
    const catalogue = ['NOT_FOUND', 'RATE_LIMITED', 'INTERNAL', 'NONCE'];
    expect(neverAnswered(folder, catalogue)).toEqual(['NONCE']);
    expect(neverAnswered(folder, ['NOT_FOUND'])).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each<[string, Record<string, string>, readonly string[]]>([
  ['a failed build', HEARD_OF_THE_BUILDER, BUILD_FAILURE_CODES],
  ['a launch', HEARD_OF_ADMISSION, ERROR_CODES],
])('A code of %s that no answer requires is in a test of the real service.', (_what, exceptions, catalogue) => {
  const root = path.resolve(import.meta.dirname, '../..');
  for (const [code, file] of Object.entries(exceptions)) {
    expect(catalogue).toContain(code);
    expect([code, readFileSync(path.join(root, file), 'utf8').includes(`'${code}'`)]).toEqual([code, true]);
  }
});
