/**
 * Writes `native20.v1.json` from the sources, or with `--check` says whether the committed one follows from them.
 * A change of the committed file is a change of what the server recognises: review it as such.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deriveNative20Templates } from '../build/templates.mjs';

const file = new URL('./native20.v1.json', import.meta.url);
const derived = `${JSON.stringify(deriveNative20Templates(), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, derived);
} else if (readFileSync(file, 'utf8') === derived) {
  process.stdout.write('templates/native20.v1.json follows from the sources\n');
} else {
  process.stderr.write('templates/native20.v1.json does not follow from the sources: run templates/derive.mjs and review the difference\n');
  process.exitCode = 1;
}
