// Lints the files and folders that are named, or everything: ESLint on one thread, since `npm test` has other work for the
// second core, and oxlint beside it. Documents and comments are checked for words to avoid.
import path from 'node:path';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';
import { askOxlint } from './oxlint.mjs';
import { checkPlainWords } from './plain-words.mjs';

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);
// The rule about boundaries reads the project graph from Nx's cache and stays silent without one.
await createProjectGraphAsync({ exitOnError: false });

const named = process.argv.slice(2);
const files = named.length === 0 ? ['.'] : named;
const eslint = new ESLint({ cwd: root, errorOnUnmatchedPattern: false });
// The pages of the site have a project of their own, with the types of browsers.
const SITE = 'apps/site';
const isOfSite = (file) => path.relative(SITE, file).split(path.sep)[0] !== '..';
const holdsSite = (file) => path.relative(file, SITE).split(path.sep)[0] !== '..';
const siteFiles = files.some(holdsSite) ? [SITE] : files.filter(isOfSite);
const otherFiles = files.filter((file) => !isOfSite(file));
const [results, ...oxlints] = await Promise.all([
  eslint.lintFiles(files),
  ...(otherFiles.length === 0 ? [] : [askOxlint(otherFiles, 'stylish', undefined, [`${SITE}/**`])]),
  ...(siteFiles.length === 0 ? [] : [askOxlint(siteFiles, 'stylish', `${SITE}/tsconfig.json`)]),
]);
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
for (const { isClean, said } of oxlints) if (!isClean) process.stdout.write(said);
const words = checkPlainWords(files);
for (const word of words) process.stdout.write(`${word}\n`);
const areImportsClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
process.exitCode = areImportsClean && oxlints.every(({ isClean }) => isClean) && words.length === 0 ? 0 : 1;
