// Checks the Prometheus rules and runs their tests with promtool.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const folder = import.meta.dirname;
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'custom-launch', 'promtool');
const PACKAGE = 'prometheus';

/** Returns the program that `PROMTOOL` or the path names, else the one of Debian's package, which it keeps in the cache. */
function findPromtool() {
  if (process.env.PROMTOOL !== undefined) return process.env.PROMTOOL;
  const onPath = (process.env.PATH ?? '').split(path.delimiter).map((one) => path.join(one, 'promtool'));
  const found = [...onPath, path.join(cache, 'promtool')].find((one) => existsSync(one));
  return found ?? unpackPromtool();
}

function unpackPromtool() {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'unpack-'));
  try {
    execFileSync('apt-get', ['download', PACKAGE], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
    const [archive] = globSync('*.deb', { cwd: work });
    if (archive === undefined) throw new Error(`apt-get downloaded no package ${PACKAGE}`);
    execFileSync('dpkg-deb', ['-x', archive, 'files'], { cwd: work, stdio: 'inherit' });
    renameSync(path.join(work, 'files/usr/bin/promtool'), path.join(cache, 'promtool'));
  } finally {
    rmSync(work, { recursive: true });
  }
  return path.join(cache, 'promtool');
}

const promtool = findPromtool();
const run = (...args) => execFileSync(promtool, args, { cwd: folder, stdio: 'inherit' });
run('check', 'rules', ...globSync('rules/*.yaml', { cwd: folder }).sort());
run('test', 'rules', ...globSync('rules-tests/*.yaml', { cwd: folder }).sort());
