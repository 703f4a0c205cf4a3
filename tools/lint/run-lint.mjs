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
const [results, oxlint] = await Promise.all([eslint.lintFiles(files), askOxlint(files, 'stylish')]);
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
if (!oxlint.isClean) process.stdout.write(oxlint.said);
const words = checkPlainWords(files);
for (const word of words) process.stdout.write(`${word}\n`);
const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
process.exitCode = isClean && oxlint.isClean && words.length === 0 ? 0 : 1;
