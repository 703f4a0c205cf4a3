import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

/**
 * An open workflow continues from a history of its own version, so a history recorded again by later code proves
 * nothing about it.
 */
const TESTDATA = path.resolve(import.meta.dirname, '../testdata');
const LIST = 'recorded.sha256';
const listed = readFileSync(path.join(TESTDATA, LIST), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('  ') as [digest: string, file: string]);

describe('recorded histories', () => {
  it.each(listed)('never change after they are recorded, as %s %s shows', (digest, file) => {
    expect(
      createHash('sha256')
        .update(readFileSync(path.join(TESTDATA, file)))
        .digest('hex'),
    ).toBe(digest);
  });

  it(`have one line each in ${LIST}, in the format of sha256sum`, () => {
    expect(listed.map(([, file]) => file).sort()).toEqual(globSync('*/*.json', { cwd: TESTDATA }).sort());
  });
});
