/**
 * Writes the template sets from the sources, or with `--check [root]...` says whether those of a repository follow from them,
 * of this one where no root is named.
 * A change of a committed file is a change of what the server recognises: review it as such.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deriveTemplates } from '../build/templates.mjs';

const documentOf = (set) => JSON.stringify(deriveTemplates(set), null, 2);
const dataOf = (set, file) => [new URL(`./${file}`, import.meta.url), `${documentOf(set)}\n`];

/** A set twice: as data for reviewers and other tools, and as the constant the server is built with. */
const outputsOf = (set, file, constant) => [
  dataOf(set, file),
  [
    new URL(`../../libs/evm/src/economics/${set}.template-set.ts`, import.meta.url),
    `import type { TemplateSet } from './template-set.types.js';\n\n` +
      `/** Written by solidity/templates/derive.mjs from the reviewed sources; a test holds the two together. */\n` +
      `export const ${constant}: TemplateSet = ${documentOf(set)};\n`,
  ],
];

const outputs = [
  ...outputsOf('native20', 'native20.v1.json', 'NATIVE20_TEMPLATE_SET'),
  ...outputsOf('inventory', 'inventory.v3.json', 'INVENTORY_TEMPLATE_SET'),
  // Its constant is the inventory's under another name: a test holds it to this file.
  dataOf('native20-seed', 'native20-seed.v1.json'),
];
const here = fileURLToPath(new URL('../..', import.meta.url));
const [option, ...roots] = process.argv.slice(2);

if (option !== '--check') {
  for (const [file, text] of outputs) writeFileSync(file, text);
} else {
  const files = (roots.length > 0 ? roots : [here]).flatMap((root) =>
    outputs.map(([file, text]) => [join(root, relative(here, fileURLToPath(file))), text]),
  );
  for (const [file, text] of files) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) {
      process.stdout.write(`${file} follows from the sources\n`);
    } else {
      process.stderr.write(
        `${file} does not follow from the sources: run templates/derive.mjs and review the difference\n`,
      );
      process.exitCode = 1;
    }
  }
}
