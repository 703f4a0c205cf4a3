// Lints every fixture by the project's own configuration, as if it were the file its first line names. It prints what
// was found: `[{name, file, rule, says, messages: [{ruleId, message}]}]`. A process of its own, because ESLint and Nx
// do not run inside Jest's module registry. A fixture with `types: needed` gets a program of its own; the others do
// without one, and without the rules that ask for types.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

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
    return { name, text, file: headerOf(text, 'file'), isTyped: headerOf(text, 'types') === 'needed' };
  }),
);
const typed = fixtures.filter(({ isTyped }) => isTyped).map(({ file }) => file);
const untypedLinter = new ESLint({ cwd: root, overrideConfig: tseslint.configs.disableTypeChecked });
const typedLinter = new ESLint({
  cwd: root,
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: {
        project: null,
        projectService: { allowDefaultProject: typed, defaultProject: 'tsconfig.tests.json' },
      },
    },
  },
});
const results = [];
for (const { name, text, file, isTyped } of fixtures) {
  const linter = isTyped ? typedLinter : untypedLinter;
  const [result] = await linter.lintText(text, { filePath: path.join(root, file), warnIgnored: true });
  results.push({
    name: name.slice(0, -SUFFIX.length),
    file,
    rule: headerOf(text, 'rule') ?? null,
    says: headerOf(text, 'says') ?? null,
    messages: result.messages.map(({ ruleId, message }) => ({ ruleId, message })),
  });
}
process.stdout.write(JSON.stringify(results));
