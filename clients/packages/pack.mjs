/**
 * Packs `@custom-launch/cli`, `/sdk`, `/modules` and `/verify` into `dist/packages/*.tgz`, and describes them in `packages.json`. The same
 * commit, lockfile, Node and npm give the same bytes in every folder.
 *
 *     npm run pack:clients                          # builds the inputs first
 *     node clients/packages/pack.mjs [folder [package…]]
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleDeclarations } from './build/declarations.mjs';
import { readInventoryMaterial } from '../multi-role/build/inventory-material.mjs';
import { noticeOfSources } from '../multi-role/build/notices.mjs';
import { bundleLibrary } from './build/library.mjs';
import { manifests, SDK_ENTRIES, SHARED_SDK_ENTRY } from './build/manifests.mjs';

const packagesDir = dirname(fileURLToPath(import.meta.url));
const repository = join(packagesDir, '../..');
const [folder = join(repository, 'dist/packages'), ...names] = process.argv.slice(2);

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
  sdk: async () => {
    const { material, notices: ofSources } = readInventoryMaterial(repository);
    const options = {
      platform: 'browser',
      target: 'es2022',
      define: { INVENTORY_MATERIAL: material },
      shared: new RegExp(`/${SHARED_SDK_ENTRY.replace('.', '\\.')}\\.js$`),
    };
    const files = new Map();
    const notices = new Set();
    // Each entry is bundled alone: a file that entries share would have what any of them needs.
    for (const [entry, source] of Object.entries(SDK_ENTRIES)) {
      const bundled = await bundleLibrary(repository, { [entry]: `clients/sdk/src/${source}.ts` }, options);
      for (const [name, bytes] of bundled.files) files.set(`dist/${name}`, bytes);
      for (const notice of bundled.notices) notices.add(notice);
    }
    return [
      ...files,
      ['dist/NOTICES.txt', `${[...notices].sort().join('')}${noticeOfSources(ofSources)}`],
      ...types(
        Object.fromEntries(Object.entries(SDK_ENTRIES).map(([entry, source]) => [entry, `sdk/dist/${source}.d.ts`])),
      ),
    ];
  },
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
  return [...[...files].map(([name, bytes]) => [`dist/${name}`, bytes]), ['dist/NOTICES.txt', notices.join('')]];
}

function types(entries) {
  const texts = bundleDeclarations(
    repository,
    Object.values(entries).map((entry) => join(repository, 'clients', entry)),
  );
  return Object.keys(entries).map((name, index) => [`dist/${name}.d.ts`, texts[index]]);
}

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
    const readme = name === 'sdk' ? 'clients/sdk/README.md' : `clients/packages/${name}/README.md`;
    copyFileSync(join(repository, readme), join(stage, 'README.md'));
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
for (const one of manifests(repository).filter(({ name }) => names.length === 0 || names.includes(name)))
  packages.push(describe(one, await pack(one)));
const built = { node: process.versions.node, npm: npm('--version').trim() };
writeFileSync(
  join(folder, 'packages.json'),
  `${JSON.stringify({ schemaVersion: 'service.client-packages.v1', built, packages }, null, 2)}\n`,
);
