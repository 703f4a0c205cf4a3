// `record.cli.ts [folder]`: records the state of this checkout's commit for the upgrade tests of later releases (docs/runbooks/releasing.md).
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { KEPT_RELEASES } from './kept-release.js';
import { recordRelease } from './record.js';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
const commit = git('rev-parse', '--short=7', 'HEAD');
const [target] = process.argv.slice(2);
const folder = path.resolve(target ?? path.join(KEPT_RELEASES, commit));
if (existsSync(folder)) {
  process.stderr.write(`${folder} is there already; a recorded release is never recorded anew\n`);
  process.exit(1);
}
const changed = git(
  '-C',
  git('rev-parse', '--show-toplevel'),
  'status',
  '--porcelain',
  '--',
  'apps',
  'libs',
  'prisma',
  'solidity',
  'clients',
);
if (changed !== '') {
  process.stderr.write(`what would run is not ${commit}:\n${changed}\n`);
  process.exit(1);
}
const began = Date.now();
await recordRelease(folder, (line) =>
  process.stdout.write(`${((Date.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`),
);
