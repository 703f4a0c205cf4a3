/**
 * Packs `@custom-launch/cli`, `/modules` and `/verify` into `dist/packages/*.tgz`, and describes them in `packages.json`. The same
 * commit, lockfile, Node and npm give the same bytes in every folder.
 *
 *     npm run pack:clients                          # builds the inputs first
 *     node clients/packages/pack.mjs [folder]
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleDeclarations } from './build/declarations.mjs';
import { bundleLibrary } from './build/library.mjs';
import { manifests } from './build/manifests.mjs';

const packagesDir = dirname(fileURLToPath(import.meta.url));
const repository = join(packagesDir, '../..');
const folder = process.argv[2] ?? join(repository, 'dist/packages');

const published = (path) => readFileSync(join(repository, 'clients', path));
const moduleRelease = JSON.parse(published('module-cli/releases.json').toString('utf8')).at(-1).version;

/** The files of each package besides its manifest, README and licence. The programs are the published single files. */
const CONTENTS = {
  cli: () => [
    ['bin/launch.mjs', published('launch-cli/bundles/launch.mjs')],
    ...['request-packer.mjs', 'reference-builder.mjs', 'inventory-builder.mjs', 'client.mjs'].map((name) => [
      `bin/${name}`,
      published(`multi-role/bundles/${name}`),
    ]),
  ],
  modules: () => [['bin/module-cli.mjs', published(`module-cli/bundles/${moduleRelease}/module-cli.mjs`)]],
  verify: async () => [
    ['bin/index-reader.mjs', published('index-reader/bundles/index-reader.mjs')],
    ...(await library(
      {
        index: 'clients/verify/src/index.ts',
        'index-reader': 'clients/index-reader/src/index.ts',
        'launch-verify': 'clients/verify/src/main.ts',
        // Started as a process of its own (libs/compiler).
        'solc.child': 'libs/compiler/src/solc.child.ts',
      },
      { platform: 'node', target: 'node24' },
    )),
    ...types({ index: 'verify/dist/index.d.ts', 'index-reader': 'index-reader/dist/index.d.ts' }),
  ],
};

async function library(entries, options) {
  const { files, notices } = await bundleLibrary(repository, entries, options);
  return [...[...files].map(([name, bytes]) => [`dist/${name}`, bytes]), ['dist/NOTICES.txt', notices]];
}

const types = (entries) =>
  Object.entries(entries).map(([name, entry]) => [
    `dist/${name}.d.ts`,
    bundleDeclarations(repository, join(repository, 'clients', entry)),
  ]);

/** Writes the files of a package and packs them with npm, which orders them and gives them one fixed time. */
async function pack({ name, manifest }) {
  const stage = mkdtempSync(join(tmpdir(), `custom-launch-${name}-`));
  try {
    for (const [path, bytes] of await CONTENTS[name]()) {
      mkdirSync(dirname(join(stage, path)), { recursive: true });
      writeFileSync(join(stage, path), bytes, {
        mode: Object.values(manifest.bin ?? {}).includes(path) ? 0o755 : 0o644,
      });
    }
    copyFileSync(join(packagesDir, name, 'README.md'), join(stage, 'README.md'));
    copyFileSync(join(repository, 'LICENSE'), join(stage, 'LICENSE'));
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const printed = npm('pack', stage, '--json', '--ignore-scripts', '--pack-destination', folder);
    return JSON.parse(printed)[0].filename;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const npm = (...args) =>
  execFileSync('npm', args, { cwd: tmpdir(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

function describe({ manifest }, file) {
  const bytes = readFileSync(join(folder, file));
  const digest = (algorithm, encoding) => createHash(algorithm).update(bytes).digest(encoding);
  return {
    name: manifest.name,
    version: manifest.version,
    file,
    byteLength: bytes.length,
    sha256: `sha256:${digest('sha256', 'hex')}`,
    integrity: `sha512-${digest('sha512', 'base64')}`,
  };
}

mkdirSync(folder, { recursive: true });
for (const old of readdirSync(folder)) if (/\.tgz$/.test(old)) rmSync(join(folder, old));
const packages = [];
for (const one of manifests(repository)) packages.push(describe(one, await pack(one)));
const built = { node: process.versions.node, npm: npm('--version').trim() };
writeFileSync(
  join(folder, 'packages.json'),
  `${JSON.stringify({ schemaVersion: 'service.client-packages.v1', built, packages }, null, 2)}\n`,
);
