// Lints the files and folders that are named, or everything. The rules about promises need types, and a program of all
// files costs as much as the rules. So one run has all projects, on one thread: each thread would make a program of its own,
// and `npm test` has other work for the second core.
import path from 'node:path';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);
// Otherwise the parser keeps programs that follow edits of the files, which costs a half more.
process.env.TSESTREE_SINGLE_RUN = 'true';
// The rule about boundaries reads the project graph from Nx's cache and stays silent without one.
await createProjectGraphAsync({ exitOnError: false });

const named = process.argv.slice(2);
const eslint = new ESLint({ cwd: root, errorOnUnmatchedPattern: false });
const results = await eslint.lintFiles(named.length === 0 ? ['.'] : named);
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
process.exitCode = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0) ? 1 : 0;
