/**
 * Builds the files that the service publishes for launchers into `bundles/`: programs of one file that need only Node, their
 * inputs, and the manifests of all sources.
 *
 * The same commit and lockfile give the same bytes in every folder. Every path in the output is relative to the repository, and
 * no date, compressor or clock affects it. Needs `solidity/artifacts` (node solidity/compile.mjs).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, version as esbuildVersion } from 'esbuild';
import { INVENTORY_CONTRACTS, readInventoryMaterial } from './build/inventory-material.mjs';
import { makeInventoryProjects } from './build/inventory-projects.mjs';
import { noticesOf, noticeOfSources } from './build/notices.mjs';
import { makeReference } from './build/reference.mjs';

const clientDir = dirname(fileURLToPath(import.meta.url));
const repository = join(clientDir, '../..');
const bundlesDir = join(clientDir, 'bundles');
const TARGET = 'node24';

const PROGRAMS = [
  { name: 'request-packer.mjs', entry: 'src/packer/request-packer.main.ts' },
  { name: 'reference-builder.mjs', entry: 'src/builder/reference-builder.main.ts' },
  { name: 'client.mjs', entry: 'src/client/client.main.ts' },
];
const INVENTORY_PROGRAM = { name: 'inventory-builder.mjs', entry: 'src/inventory/inventory-builder.main.ts' };

const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const byPath = (a, b) => (a.path < b.path ? -1 : 1);

/** Returns the RFC 8785 text of plain data whose numbers are safe integers. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/**
 * @param {{name: string, entry: string}} program
 * @param {{define?: Record<string, unknown>, notices?: string}} carried data in the program, and its licences
 */
async function bundle({ name, entry }, { define = {}, notices = '' } = {}) {
  const result = await build({
    absWorkingDir: repository,
    entryPoints: [join('clients/multi-role', entry)],
    outfile: join('clients/multi-role/bundles', name),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: TARGET,
    conditions: ['@launch/source'],
    mainFields: ['module', 'main'],
    charset: 'utf8',
    define: Object.fromEntries(Object.entries(define).map(([constant, value]) => [constant, JSON.stringify(value)])),
    // The licence of every package follows at the end (`noticesOf`).
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
    logLevel: 'error',
  });
  const [output] = Object.values(result.metafile.outputs);
  const bundled = Object.entries(output.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
  const bytes = Buffer.from(
    `#!/usr/bin/env node\n${result.outputFiles[0].text}${noticesOf(repository, bundled)}${notices}`,
    'utf8',
  );
  // Definitions are among the inputs too, under a name that is not a file.
  return { name, bytes, inputs: Object.keys(result.metafile.inputs).filter((path) => !path.startsWith('<define:')) };
}

/** Writes a whole file, so a reader of `bundles/` never sees half of it, even while another build runs. */
function writeWhole(name, bytes) {
  const partial = join(bundlesDir, `.${name}.${process.pid}`);
  try {
    writeFileSync(partial, bytes);
    renameSync(partial, join(bundlesDir, name));
  } finally {
    rmSync(partial, { force: true });
  }
}

const described = (name, bytes) => ({ path: name, byteLength: bytes.length, sha256: sha256(bytes) });

const own = (...paths) => paths.map((path) => `clients/multi-role/${path}`);
const OWN_INPUTS = own(
  'build.mjs',
  'build/closure.mjs',
  'build/notices.mjs',
  'build/reference.mjs',
  'build/reference-image.mjs',
);
const ARTIFACT_INPUTS = ['Native20.json', 'FeeVault.json', 'native20-standard-json.json', 'native20-notices.json'].map(
  (name) => `solidity/artifacts/${name}`,
);
const TEMPLATES = 'solidity/templates/native20.v1.json';
const INVENTORY_OWN_INPUTS = own(
  'build.mjs',
  'build/closure.mjs',
  'build/inventory-material.mjs',
  'build/inventory-projects.mjs',
  'build/notices.mjs',
  'build/reference-image.mjs',
);
const INVENTORY_ARTIFACTS = [
  ...Object.values(INVENTORY_CONTRACTS).map((name) => `${name}.json`),
  'inventory-standard-json.json',
  'inventory-notices.json',
].map((name) => `solidity/artifacts/${name}`);
const INVENTORY_TEMPLATES = 'solidity/templates/inventory.v3.json';

const inputsOf = (paths) =>
  [...new Set(paths)].map((path) => ({ path, sha256: sha256(readFileSync(join(repository, path))) })).sort(byPath);

const provenanceOf = (templateSet, standardJsonInputSha256, { sources }) => ({
  command: 'node clients/multi-role/build.mjs',
  bundler: { name: 'esbuild', version: esbuildVersion },
  target: TARGET,
  compiler: {
    version: templateSet.compilerVersion,
    standardJsonInputSha256,
    sourceCount: sources.length,
    license: 'MIT',
  },
});

function manifest(bundles, reference, referenceBytes, templateSet) {
  const [packer, referenceBuilder, client] = bundles.map(({ name, bytes }) => described(name, bytes));
  return {
    schemaVersion: 'service.multi-role-request-packer-build.v2',
    packer,
    reference: described('request-packer-reference.json', referenceBytes),
    referenceBuilder,
    client,
    inputs: inputsOf([...bundles.flatMap(({ inputs }) => inputs), ...OWN_INPUTS, ...ARTIFACT_INPUTS, TEMPLATES]),
    provenance: provenanceOf(templateSet, reference.compiler.standardJsonInputSha256, reference.closure),
  };
}

const inventoryManifest = (builder, projects, projectsBytes, templateSet) => ({
  schemaVersion: 'service.inventory-builder-build.v3',
  builder: described(builder.name, builder.bytes),
  projects: described('inventory-projects.json', projectsBytes),
  inputs: inputsOf([...builder.inputs, ...INVENTORY_OWN_INPUTS, ...INVENTORY_ARTIFACTS, INVENTORY_TEMPLATES]),
  provenance: provenanceOf(templateSet, projects.compiler.standardJsonInputSha256, projects.closure),
});

const readText = (path) => readFileSync(join(repository, path), 'utf8');
const readJson = (path) => JSON.parse(readText(path));
const canonicalBytes = (value) => Buffer.from(canonicalJson(value), 'utf8');

async function buildPacker() {
  const templateSet = readJson(TEMPLATES);
  const bundles = await Promise.all(PROGRAMS.map((program) => bundle(program)));
  const reference = makeReference(join(repository, 'solidity/artifacts'), templateSet);
  const referenceBytes = canonicalBytes(reference);
  return [
    ...bundles.map(({ name, bytes }) => [name, bytes]),
    ['request-packer-reference.json', referenceBytes],
    ['request-packer-build.json', canonicalBytes(manifest(bundles, reference, referenceBytes, templateSet))],
  ];
}

/** Builds the inventory builder. It contains the parts that every inventory launch submits, so an input has only choices. */
async function buildInventory() {
  const templateSet = readJson(INVENTORY_TEMPLATES);
  const { material, notices } = readInventoryMaterial(repository);
  const builder = await bundle(INVENTORY_PROGRAM, {
    define: { INVENTORY_MATERIAL: material },
    notices: noticeOfSources(notices),
  });
  const projects = makeInventoryProjects(material.standardJsonInput, notices, templateSet);
  const projectsBytes = canonicalBytes(projects);
  return [
    [builder.name, builder.bytes],
    ['inventory-projects.json', projectsBytes],
    ['inventory-build.json', canonicalBytes(inventoryManifest(builder, projects, projectsBytes, templateSet))],
  ];
}

/** Published unchanged. */
const guide = [['guide.md', readFileSync(join(repository, 'docs/guides/multi-role-launch.md'))]];

const files = (await Promise.all([buildPacker(), buildInventory(), guide])).flat();
mkdirSync(bundlesDir, { recursive: true });
for (const [name, bytes] of files) writeWhole(name, bytes);
