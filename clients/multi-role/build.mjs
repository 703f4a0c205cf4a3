/**
 * Builds what the service publishes for launchers, into `bundles/`: three single files that need nothing but
 * Node, the packer's reference and the manifest of what everything was made from.
 *
 * The same commit and lockfile give the same bytes wherever the tree stands: every path in the output is
 * relative to the repository, nothing is dated, and no compressor or clock takes part.
 * Needs `solidity/artifacts` (node solidity/compile.mjs).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, version as esbuildVersion } from 'esbuild';
import { noticesOf } from './build/notices.mjs';
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

const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const byPath = (a, b) => (a.path < b.path ? -1 : 1);

/** RFC 8785 text of plain data whose numbers are safe integers. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).filter((key) => value[key] !== undefined).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

async function bundle({ name, entry }) {
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
    // Every package's whole licence follows at the end, see noticesOf.
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
    logLevel: 'error',
  });
  const [output] = Object.values(result.metafile.outputs);
  const bundled = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const bytes = Buffer.from(`${result.outputFiles[0].text}${noticesOf(repository, bundled)}`, 'utf8');
  return { name, bytes, inputs: Object.keys(result.metafile.inputs) };
}

/** A reader of `bundles/` never sees half a file, whoever else builds at the same time. */
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

const OWN_INPUTS = ['build.mjs', 'build/notices.mjs', 'build/reference.mjs', 'build/reference-image.mjs'].map((path) => `clients/multi-role/${path}`);
const ARTIFACT_INPUTS = ['Native20.json', 'FeeVault.json', 'native20-standard-json.json', 'native20-notices.json'].map((name) => `solidity/artifacts/${name}`);
const TEMPLATES = 'solidity/templates/native20.v1.json';

function manifest(bundles, reference, referenceBytes, templateSet) {
  const [packer, referenceBuilder, client] = bundles.map(({ name, bytes }) => described(name, bytes));
  const paths = new Set([...bundles.flatMap(({ inputs }) => inputs), ...OWN_INPUTS, ...ARTIFACT_INPUTS, TEMPLATES]);
  return {
    schemaVersion: 'service.multi-role-request-packer-build.v2',
    packer,
    reference: described('request-packer-reference.json', referenceBytes),
    referenceBuilder,
    client,
    inputs: [...paths].map((path) => ({ path, sha256: sha256(readFileSync(join(repository, path))) })).sort(byPath),
    provenance: {
      command: 'node clients/multi-role/build.mjs',
      bundler: { name: 'esbuild', version: esbuildVersion },
      target: TARGET,
      compiler: {
        version: templateSet.compilerVersion,
        standardJsonInputSha256: reference.compiler.standardJsonInputSha256,
        sourceCount: reference.closure.sources.length,
        license: 'MIT',
      },
    },
  };
}

const templateSet = JSON.parse(readFileSync(join(repository, TEMPLATES), 'utf8'));
const bundles = await Promise.all(PROGRAMS.map(bundle));
const reference = makeReference(join(repository, 'solidity/artifacts'), templateSet);
const referenceBytes = Buffer.from(canonicalJson(reference), 'utf8');

mkdirSync(bundlesDir, { recursive: true });
for (const { name, bytes } of bundles) writeWhole(name, bytes);
writeWhole('request-packer-reference.json', referenceBytes);
writeWhole('request-packer-build.json', Buffer.from(canonicalJson(manifest(bundles, reference, referenceBytes, templateSet)), 'utf8'));
