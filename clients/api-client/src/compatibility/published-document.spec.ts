import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './breaking-changes.js';
import { GENERATED_DOCUMENT, PUBLISHED_DOCUMENT, publishedForm, readDocument } from './documents.js';

const generated = readDocument(GENERATED_DOCUMENT);
const published = readDocument(PUBLISHED_DOCUMENT);

describe('docs/api/openapi.json', () => {
  it('promises nothing that the declared routes break (docs/adr/0112)', () => {
    expect(breakingChanges(published, generated)).toEqual([]);
  });

  it('is the generated document: `npm run openapi:record` records an addition', () => {
    // Compared as a whole and reported in one word: a diff of this file has thousands of lines.
    const isRecorded = readFileSync(PUBLISHED_DOCUMENT, 'utf8') === publishedForm(generated);
    expect(isRecorded ? 'recorded' : 'differs: run `npm run openapi:record` and commit docs/api/openapi.json').toBe(
      'recorded',
    );
  });

  it('is compared by every operation', () => {
    const operations = Object.values(published.paths).flatMap((item) => Object.keys(item));
    expect(operations.length).toBeGreaterThan(80);
    expect(breakingChanges(published, { ...generated, paths: {} })).toHaveLength(operations.length);
  });
});
