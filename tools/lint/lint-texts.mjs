// Lints texts by the project's own configuration, as if they were the files they are named after. `[{file, text}]` on
// stdin, `[{file, ruleId, message}]` on stdout. oxlint's rules are not asked: the files need not be there.
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);
// The rule reads the project graph from Nx's cache and stays silent without one.
await createProjectGraphAsync({ exitOnError: false });
const eslint = new ESLint({ cwd: root });
const found = [];
for (const { file, text: source } of JSON.parse(await text(process.stdin))) {
  // Of tests, whose imports have no rules, ESLint says nothing.
  const results = await eslint.lintText(source, { filePath: path.join(root, file), warnIgnored: false });
  found.push(...results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => ({ file, ruleId, message }))));
}
process.stdout.write(JSON.stringify(found));
