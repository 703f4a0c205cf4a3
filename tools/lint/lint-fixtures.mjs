// Lints every fixture by the project's own configuration, as if it were the file its first line names, and prints what
// was found: `[{name, file, rule, says, messages: [{ruleId, message}]}]`. A process of its own, because ESLint and Nx
// do not run inside Jest's module registry.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(import.meta.dirname, 'fixtures');
const SUFFIX = '.ts.txt';

function headerOf(text, field) {
  return new RegExp(`^// ${field}: ?(.*)$`, 'm').exec(text)?.[1]?.trim();
}

process.chdir(root);
// The rule reads the project graph from Nx's cache and stays silent without one.
await createProjectGraphAsync({ exitOnError: false });
const eslint = new ESLint({ cwd: root });
const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).sort();
const results = [];
for (const name of names) {
  const text = await readFile(path.join(folder, name), 'utf8');
  const file = headerOf(text, 'file');
  const [result] = await eslint.lintText(text, { filePath: path.join(root, file), warnIgnored: true });
  results.push({
    name: name.slice(0, -SUFFIX.length),
    file,
    rule: headerOf(text, 'rule') ?? null,
    says: headerOf(text, 'says') ?? null,
    messages: result.messages.map(({ ruleId, message }) => ({ ruleId, message })),
  });
}
process.stdout.write(JSON.stringify(results));
