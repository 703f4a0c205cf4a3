// Lays out what one service runs on, and nothing of the others. That is its own build, the builds of the workspaces it
// depends on, and a lockfile without the rest. `npm ci --omit=dev` in the target adds the packages.
//
//   node deploy/docker/assemble.mjs apps/<service> <empty target folder>
//
// Needs `npm run generate` and `npm run build -- -p <service>` before. Plain Node without dependencies.
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');
/** The files that an image takes from a workspace: compiled code, scripts started as programs, workflow bundles, and the record of the build. */
const CARRIED = ['dist', 'scripts', 'bundles', 'build-info.json'];
/** Generated files that a service serves or reads, by `npm run generate`; the target keeps the repository's paths. */
const CARRIED_BESIDES = {
  'apps/api-gateway': ['clients/multi-role/bundles', 'clients/launch-cli/bundles', 'clients/index-reader/bundles', 'clients/module-cli/frozen', 'libs/contracts/machine', 'apps/api-gateway/console', 'docs/guides', 'docs/reference'],
};
/** Not for running: declarations, source maps, build bookkeeping. Test code is not built. */
const LEFT_OUT = /(\.d\.ts|\.map|\.tsbuildinfo)$|^dist\/testing(\/|$)/;

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Folder of every workspace by package name. */
export function listWorkspaces() {
  const { workspaces } = readJson(path.join(root, 'package.json'));
  const folders = globSync(workspaces, { cwd: root }).filter((folder) => existsSync(path.join(root, folder, 'package.json')));
  return new Map(folders.map((folder) => [readJson(path.join(root, folder, 'package.json')).name, folder.split(path.sep).join('/')]));
}

/** Folders of a workspace and of all it depends on at run time, itself first. */
export function closureOf(folder, workspaces = listWorkspaces()) {
  const found = new Set([folder]);
  for (const next of found) {
    const { dependencies = {} } = readJson(path.join(root, next, 'package.json'));
    for (const name of Object.keys(dependencies)) if (workspaces.has(name)) found.add(workspaces.get(name));
  }
  return [...found];
}

/** A manifest or lockfile entry without what only tests and builds use, which names workspaces that are not carried. */
function withoutDevelopment({ devDependencies: _, ...rest }) {
  return rest;
}

/** The repository's lockfile without the workspaces that are not carried; every version stays the one that was tested. */
export function narrowLock(lock, folders, workspaces = listWorkspaces()) {
  const dropped = new Set([...workspaces.values()].filter((folder) => !folders.includes(folder)));
  const isDropped = ([key, entry]) => {
    if (entry.link === true) return dropped.has(entry.resolved);
    return [...dropped].some((folder) => key === folder || key.startsWith(`${folder}/node_modules/`));
  };
  const kept = Object.entries(lock.packages).filter((entry) => !isDropped(entry));
  return { ...lock, packages: Object.fromEntries(kept.map(([key, entry]) => [key, key === '' || folders.includes(key) ? withoutDevelopment(entry) : entry])) };
}

/** A manifest's overrides; `$name` in them is the version of a dependency of the repository, which the target's manifest does not have. */
function resolveReferences(overrides, { devDependencies, dependencies }) {
  const versions = { ...devDependencies, ...dependencies };
  const resolve = (value) => {
    if (typeof value !== 'string') return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
    return value.startsWith('$') ? versions[value.slice(1)] : value;
  };
  return resolve(overrides);
}

/** Writes the manifests of a service's workspaces and the lockfile's part of them, by which `npm ci --omit=dev` installs its packages. */
export function assembleManifests(service, target) {
  mkdirSync(target, { recursive: true });
  if (readdirSync(target).length > 0) throw new Error(`${target} is not empty`);
  const folders = closureOf(service);
  const write = (file, document) => writeFileSync(path.join(target, file), JSON.stringify(document, null, 2));
  const manifest = readJson(path.join(root, 'package.json'));
  const overrides = resolveReferences(manifest.overrides, manifest);
  write('package.json', { ...withoutDevelopment(manifest), overrides, workspaces: folders, scripts: {} });
  write('package-lock.json', narrowLock(readJson(path.join(root, 'package-lock.json')), folders));
  for (const folder of folders) {
    mkdirSync(path.join(target, folder), { recursive: true });
    write(`${folder}/package.json`, withoutDevelopment(readJson(path.join(root, folder, 'package.json'))));
  }
  return folders;
}

/** Copies the builds of a service and of the workspaces that it depends on, and what it serves. */
export function assembleProgram(service, target) {
  for (const folder of closureOf(service)) {
    if (!existsSync(path.join(root, folder, 'dist'))) throw new Error(`${folder} is not built: npm run build -- -p ${path.basename(service)}`);
    for (const part of CARRIED) {
      const from = path.join(root, folder, part);
      if (!existsSync(from)) continue;
      const filter = (file) => !LEFT_OUT.test(path.relative(path.join(root, folder), file).split(path.sep).join('/'));
      cpSync(from, path.join(target, folder, part), { recursive: true, filter });
    }
  }
  for (const besides of CARRIED_BESIDES[service] ?? []) {
    if (!existsSync(path.join(root, besides))) throw new Error(`${besides} is not made: npm run generate`);
    cpSync(path.join(root, besides), path.join(target, besides), { recursive: true });
  }
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [service, target, ...rest] = positionals;
  if (service === undefined || target === undefined || rest.length > 0 || !existsSync(path.join(root, service, 'package.json'))) {
    process.stderr.write('usage: node deploy/docker/assemble.mjs apps/<service> <empty target folder>\n');
    process.exit(2);
  }
  for (const folder of assembleManifests(service, path.resolve(target))) process.stdout.write(`${folder}\n`);
  assembleProgram(service, path.resolve(target));
}
