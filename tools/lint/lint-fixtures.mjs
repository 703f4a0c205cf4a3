// Lints every fixture by the project's own configuration, as if it were the file its first line names. It prints what
// was found: `[{name, file, rule, says, messages: [{ruleId, message}]}]`. A process of its own, because ESLint and Nx
// do not run inside Jest's module registry. A fixture with `linter: oxlint` is for its rules, some of which ask for types, and
// becomes a file of a project of its own.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';
import { askOxlint } from './oxlint.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(import.meta.dirname, 'fixtures');
const SUFFIX = '.ts.txt';

function headerOf(text, field) {
  return new RegExp(`^// ${field}: ?(.*)$`, 'm').exec(text)?.[1]?.trim();
}

process.chdir(root);
// The rule reads the project graph from Nx's cache and stays silent without one.
await createProjectGraphAsync({ exitOnError: false });
const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).sort();
const fixtures = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(path.join(folder, name), 'utf8');
    return { name, text, file: headerOf(text, 'file'), isOxlints: headerOf(text, 'linter') === 'oxlint' };
  }),
);

/** Returns ESLint's findings in a text. */
async function lintedText(text, file) {
  const [{ messages }] = await eslint.lintText(text, { filePath: path.join(root, file), warnIgnored: true });
  return messages.map(({ ruleId, message }) => ({ ruleId, message }));
}

/** Returns oxlint's findings in fixtures, by their names. */
async function lintedByOxlint(fixturesOfIt) {
  const place = await mkdtemp(path.join(tmpdir(), 'launch-lint-'));
  try {
    const project = path.join(place, 'tsconfig.json');
    const types = { types: ['node'], typeRoots: [path.join(root, 'node_modules/@types')] };
    const compilerOptions = { noEmit: true, composite: false, ...types };
    const base = path.join(root, 'tsconfig.base.json');
    await writeFile(project, JSON.stringify({ extends: base, compilerOptions, include: ['*.ts'] }));
    for (const { name, text } of fixturesOfIt) await writeFile(path.join(place, fileOf(name)), text);
    const { diagnostics } = JSON.parse((await askOxlint([place], 'json', project)).said);
    const found = (name) => diagnostics.filter(({ filename }) => path.basename(filename) === fileOf(name));
    const told = ({ code, message }) => ({ ruleId: code, message });
    return new Map(fixturesOfIt.map(({ name }) => [name, found(name).map(told)]));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const fileOf = (name) => name.replace(SUFFIX, '.ts');
const eslint = new ESLint({ cwd: root });
const byOxlint = await lintedByOxlint(fixtures.filter(({ isOxlints }) => isOxlints));
const results = [];
for (const { name, text, file, isOxlints } of fixtures)
  results.push({
    name: name.slice(0, -SUFFIX.length),
    file,
    rule: headerOf(text, 'rule') ?? null,
    says: headerOf(text, 'says') ?? null,
    messages: isOxlints ? byOxlint.get(name) : await lintedText(text, file),
  });
process.stdout.write(JSON.stringify(results));
