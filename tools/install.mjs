// `node tools/install.mjs`: installs what the lockfile names, unless node_modules has it already, and runs the install scripts
// that `allowScripts` in package.json allows, no others. npm before 11.16 ignores that list and would run every script, so
// `npm ci` runs none here. Plain Node (20 or later) without dependencies. Its output goes to stderr.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** npm compares the engines of packages with its own Node, but everything here runs on the Node that the lockfile pins. */
const ENGINE_WARNING = /^npm warn EBADENGINE .*\n/gim;

/** Returns true when node_modules holds what the lockfile names, as far as it concerns this platform. */
function isInstalled({ at, readJson }) {
  if (!existsSync(at('node_modules/.package-lock.json')) || !existsSync(at('node_modules/node/bin/node'))) return false;
  const wanted = readJson('package-lock.json').packages;
  const found = readJson('node_modules/.package-lock.json').packages;
  const same = (name) =>
    wanted[name]?.version === found[name]?.version && wanted[name]?.integrity === found[name]?.integrity;
  return (
    Object.keys(found).every((name) => name in wanted && same(name) && existsSync(at(name))) &&
    Object.entries(wanted).every(
      ([name, entry]) =>
        !name.includes('node_modules/') || name in found || entry.optional || entry.devOptional || entry.peer,
    )
  );
}

/** @param folder the project; defaults to this one. @throws Error when npm fails. */
export function install(folder = root) {
  const at = (name) => path.join(folder, name);
  const readJson = (name) => JSON.parse(readFileSync(at(name), 'utf8'));
  if (isInstalled({ at, readJson })) return;
  const { allowScripts } = readJson('package.json');
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  // npm hands each of its many small files to a thread and waits for it: more threads than cores only wake each other.
  const env = { UV_THREADPOOL_SIZE: String(Math.min(4, availableParallelism())), ...process.env };
  process.stderr.write('installing dependencies from the lockfile (once, about a minute)\n');
  for (const args of [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    ['rebuild', '--ignore-scripts=false', ...allowed],
  ]) {
    const npm = { cwd: folder, stdio: ['ignore', 2, 'pipe'], env, encoding: 'utf8', maxBuffer: Infinity };
    const { status, error, stderr } = spawnSync('npm', args, npm);
    process.stderr.write((stderr ?? '').replaceAll(ENGINE_WARNING, ''));
    if (status !== 0) throw new Error(`npm ${args[0]} failed`, { cause: error ?? status });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install();
