/**
 * Records the generated OpenAPI document as the published one: `npm run openapi:record`. Refuses a breaking change
 * (ADR 0112) unless `--breaking` says that it is intended, and lists every change of that kind.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { breakingChanges } from './breaking-changes.js';
import { GENERATED_DOCUMENT, PUBLISHED_DOCUMENT, readDocument, publishedForm } from './documents.js';

const { values } = parseArgs({ options: { breaking: { type: 'boolean', default: false } } });
const generated = readDocument(GENERATED_DOCUMENT);
const changes = breakingChanges(readDocument(PUBLISHED_DOCUMENT), generated);
for (const change of changes) process.stderr.write(`breaking: ${change}\n`);
if (changes.length > 0 && !values.breaking) {
  process.stderr.write('Nothing was written. Add a new version of the route, or repeat with `-- --breaking`.\n');
  process.exitCode = 1;
} else {
  const text = publishedForm(generated);
  const isChanged = readFileSync(PUBLISHED_DOCUMENT, 'utf8') !== text;
  if (isChanged) writeFileSync(PUBLISHED_DOCUMENT, text);
  process.stdout.write(`${PUBLISHED_DOCUMENT}: ${isChanged ? 'recorded' : 'unchanged'}\n`);
}
