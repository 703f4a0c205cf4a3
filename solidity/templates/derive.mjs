/**
 * Writes `native20.v1.json` from the sources, or with `--check` says whether the committed one follows from them.
 * A change of the committed file is a change of what the server recognises: review it as such.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deriveNative20Templates } from '../build/templates.mjs';

const set = deriveNative20Templates();
const document = JSON.stringify(set, null, 2);

/** The same set twice: as data for reviewers and other tools, and as the constant the server is built with. */
const outputs = [
  [new URL('./native20.v1.json', import.meta.url), `${document}\n`],
  [
    new URL('../../libs/evm/src/economics/native20.template-set.ts', import.meta.url),
    `import type { TemplateSet } from './template-set.types.js';\n\n` +
      `/** Written by solidity/templates/derive.mjs from the reviewed sources; a test holds the two together. */\n` +
      `export const NATIVE20_TEMPLATE_SET: TemplateSet = ${document};\n`,
  ],
];
const name = (file) => file.pathname.split('/').slice(-2).join('/');

if (!process.argv.includes('--check')) {
  for (const [file, text] of outputs) writeFileSync(file, text);
} else {
  for (const [file, text] of outputs) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) {
      process.stdout.write(`${name(file)} follows from the sources\n`);
    } else {
      process.stderr.write(`${name(file)} does not follow from the sources: run templates/derive.mjs and review the difference\n`);
      process.exitCode = 1;
    }
  }
}
