// Makes what has to exist before the compiler, the linter and the tests run: Prisma clients, contract artifacts,
// client bundles. A step whose inputs are the bytes it ran on last time is skipped. Plain Node without
// dependencies, because it is also what comes first in a fresh checkout.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname ?? path.dirname(fileURLToPath(import.meta.url)), '..');
const markerDir = path.join(root, 'node_modules', '.cache', 'launch-generate');
const node24 = path.join(root, 'node_modules', 'node', 'bin', 'node');
const node = existsSync(node24) ? node24 : process.execPath;

const prismaCli = path.join('node_modules', 'prisma', 'build', 'index.js');
const lockEntry = (name) => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return `${name}@${lock.packages[`node_modules/${name}`]?.version ?? 'absent'}`;
};

/**
 * A step: `inputs` are files or folders (below the root), `versions` further words that its result depends on.
 * `depends` answers with more that it depends on. `outputs` must exist for a skip; `requires` decides whether the step belongs to this checkout at all.
 */
const prismaSteps = ['api-gateway', 'admission', 'custody', 'finality', 'module-review', 'indexer'].map((service) => ({
  name: `prisma-${service}`,
  title: `Prisma client of ${service}`,
  requires: `prisma/${service}/schema.prisma`,
  inputs: [`prisma/${service}/schema.prisma`, `prisma/${service}/prisma.config.ts`, 'tools/prisma/engine'],
  versions: ['prisma', '@prisma/client'],
  outputs: [`prisma/${service}/src/generated/client.ts`],
  command: [prismaCli, 'generate'],
  cwd: `prisma/${service}`,
}));
const solidityStep = {
  name: 'solidity',
  title: 'contracts',
  requires: 'solidity/compile.mjs',
  inputs: [
    'solidity/compile.mjs',
    'solidity/package.json',
    'solidity/build',
    'solidity/src',
    'solidity/test',
    'solidity/templates',
    'solidity/notices',
  ],
  versions: ['solc-0.8.26', '@uniswap/v4-core', '@openzeppelin/contracts'],
  outputs: [
    'solidity/artifacts/Native20.json',
    'solidity/artifacts/MultiRoleLaunchStampRouterV2.json',
    'solidity/artifacts/inputs.json',
  ],
  command: ['solidity/compile.mjs'],
};
const devnetStep = {
  name: 'devnet-contracts',
  title: 'contracts of the development chains',
  requires: 'tools/devnet/compile.mjs',
  inputs: ['tools/devnet/compile.mjs', 'solidity/devnet'],
  versions: ['solc-0.8.26'],
  outputs: ['solidity/artifacts/devnet'],
  command: ['tools/devnet/compile.mjs'],
};
const bundleStep = {
  name: 'client-bundles',
  title: 'client bundles',
  requires: 'clients/multi-role/build.mjs',
  inputs: [
    'clients/multi-role/build.mjs',
    'clients/multi-role/build',
    'clients/multi-role/src',
    'clients/multi-role/package.json',
    'clients/core/package.json',
    'clients/core/src/command',
    'docs/guides/multi-role-launch.md',
    'libs/contracts/src',
    'libs/evm/src',
    'libs/evm/package.json',
    'libs/images/src',
    'libs/images/package.json',
    'libs/launch-rules/src',
    'libs/launch-rules/package.json',
    'solidity/templates',
    'solidity/artifacts/native20-standard-json.json',
  ],
  versions: ['esbuild', 'zod', 'fflate', 'hash-wasm', 'viem'],
  outputs: ['clients/multi-role/bundles'],
  command: ['clients/multi-role/build.mjs'],
};
const WORKFLOW_ENTRIES = ['admission', 'finality', 'module-review', 'indexer'];
/** One process bundles all four: each of its own spent half its time on loading and warming the bundler. */
const workflowStep = {
  name: 'workflows',
  title: 'workflow bundles',
  requires: 'libs/workflows/src',
  inputs: [
    'libs/workflows/src',
    'libs/contracts/src',
    'libs/contracts/package.json',
    'libs/worker/src/bundle',
    'libs/worker/package.json',
  ],
  versions: ['@temporalio/workflow', '@temporalio/worker'],
  outputs: WORKFLOW_ENTRIES.map((entry) => `libs/workflows/dist/bundles/${entry}.json`),
  nodeArguments: [
    '--no-warnings',
    '--conditions=@launch/source',
    '--import',
    pathToFileURL(path.join(root, 'tools/source-hooks.mjs')).href,
  ],
  command: [
    'libs/worker/src/bundle/bundle-workflows.cli.ts',
    ...WORKFLOW_ENTRIES.map((entry) => `libs/workflows/src/${entry}.bundle.ts`),
  ],
};

/** The gateway's own sources describe its routes, with decorators that Node alone does not read. */
const openApiStep = {
  name: 'openapi',
  title: 'OpenAPI document',
  requires: 'apps/api-gateway/src/discovery/openapi/write-openapi.cli.ts',
  inputs: ['apps/api-gateway/src', 'libs/contracts/src', 'libs/http/src', 'tools/decorated-source-hooks.mjs'],
  versions: ['@nestjs/swagger', '@swc/core', 'zod'],
  outputs: ['clients/api-client/src/generated/openapi.json'],
  nodeArguments: [
    '--no-warnings',
    '--conditions=@launch/source',
    '--import',
    pathToFileURL(path.join(root, 'tools/decorated-source-hooks.mjs')).href,
  ],
  command: [
    'apps/api-gateway/src/discovery/openapi/write-openapi.cli.ts',
    'clients/api-client/src/generated/openapi.json',
  ],
};
const apiClientStep = {
  name: 'api-client',
  title: 'API client',
  requires: 'clients/api-client/generate.mjs',
  inputs: [
    'clients/api-client/generate.mjs',
    'clients/api-client/generate',
    'clients/api-client/package.json',
    'clients/api-client/src/generated/openapi.json',
  ],
  versions: [],
  outputs: ['clients/api-client/src/generated/operations.ts'],
  command: ['clients/api-client/generate.mjs'],
};

const launchCliStep = {
  name: 'launch-cli',
  title: 'launch CLI',
  requires: 'clients/launch-cli/build.mjs',
  inputs: [
    'clients/launch-cli/build.mjs',
    'clients/launch-cli/package.json',
    'clients/launch-cli/src',
    'clients/api-client/package.json',
    'clients/api-client/src',
    'clients/core/package.json',
    'clients/core/src',
    'clients/multi-role/build/notices.mjs',
    'clients/multi-role/package.json',
    'clients/multi-role/src/client/plain-text.ts',
    'clients/multi-role/src/offline',
    'libs/contracts/package.json',
    'libs/contracts/src/errors',
    'libs/contracts/src/json',
  ],
  versions: ['esbuild'],
  /** The manifest names the commit, and whether the tree is that commit. */
  depends: () => treeState(),
  outputs: ['clients/launch-cli/bundles/launch.mjs', 'clients/launch-cli/bundles/launch-cli-release.json'],
  command: ['clients/launch-cli/build.mjs'],
};

const moduleCliStep = {
  name: 'module-cli',
  title: 'module CLI',
  requires: 'clients/module-cli/build.mjs',
  inputs: [
    'clients/module-cli/build.mjs',
    'clients/module-cli/package.json',
    'clients/module-cli/releases.json',
    'clients/module-cli/src',
    'clients/core/package.json',
    'clients/core/src',
    'clients/multi-role/build/notices.mjs',
    'libs/contracts/package.json',
    'libs/contracts/src',
  ],
  versions: ['esbuild', 'zod', 'hash-wasm'],
  outputs: ['clients/module-cli/bundles'],
  command: ['clients/module-cli/build.mjs'],
};

const indexReaderStep = {
  name: 'index-reader',
  title: 'index reader',
  requires: 'clients/index-reader/build.mjs',
  inputs: [
    'clients/index-reader/build.mjs',
    'clients/index-reader/package.json',
    'clients/index-reader/src',
    'clients/core/package.json',
    'clients/core/src',
    'clients/multi-role/build/notices.mjs',
    'libs/chain/package.json',
    'libs/chain/src',
    'libs/contracts/package.json',
    'libs/contracts/src',
    'libs/evm/package.json',
    'libs/evm/src',
  ],
  versions: ['esbuild', 'viem', 'zod', 'hash-wasm'],
  outputs: ['clients/index-reader/bundles/index-reader.mjs'],
  command: ['clients/index-reader/build.mjs'],
};

/** Steps run side by side, but for those that read what others write. */
const allSteps = [
  ...prismaSteps,
  solidityStep,
  devnetStep,
  workflowStep,
  moduleCliStep,
  indexReaderStep,
  openApiStep,
  apiClientStep,
  bundleStep,
  launchCliStep,
];
/** What a step reads is written by these. */
const writers = {
  openapi: prismaSteps.map(({ name }) => name),
  'api-client': ['openapi'],
  'client-bundles': ['solidity'],
  'launch-cli': ['api-client', 'client-bundles'],
};
const steps = selected(process.argv.slice(2));

/** Without arguments every step; with names (`prisma-custody client-bundles`) those alone. */
function selected(names) {
  const known = new Set(allSteps.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    process.stderr.write(`no such step: ${unknown.join(', ')}; there are ${[...known].join(', ')}\n`);
    process.exit(2);
  }
  return names.length === 0 ? allSteps : allSteps.filter(({ name }) => names.includes(name));
}

/** The commit and what differs from it; nothing outside of a repository. */
function treeState() {
  const git = (...command) => spawnSync('git', command, { cwd: root, encoding: 'utf8' }).stdout ?? '';
  return `${git('rev-parse', 'HEAD')}${git('status', '--porcelain')}`;
}

function digestOf(step) {
  const hash = createHash('sha256');
  for (const name of step.versions) hash.update(`${lockEntry(name)}\n`);
  for (const input of step.inputs) addToDigest(hash, input);
  hash.update(step.depends?.() ?? '');
  return hash.digest('hex');
}

function addToDigest(hash, relative) {
  const absolute = path.join(root, relative);
  if (!existsSync(absolute)) return;
  if (statSync(absolute).isDirectory()) {
    for (const name of readdirSync(absolute).sort()) {
      if (name !== 'node_modules' && name !== 'dist') addToDigest(hash, path.posix.join(relative, name));
    }
    return;
  }
  if (/\.(spec|bench)\.ts$/.test(relative)) return;
  const bytes = readFileSync(absolute);
  hash.update(`${relative}\0${bytes.length}\0`).update(bytes);
}

function isCurrent(step, digest) {
  const marker = path.join(markerDir, step.name);
  return (
    existsSync(marker) &&
    readFileSync(marker, 'utf8') === digest &&
    step.outputs.every((output) => existsSync(path.join(root, output)))
  );
}

function run(step) {
  return new Promise((resolve, reject) => {
    const cwd = path.join(root, step.cwd ?? '.');
    const args = [...(step.nodeArguments ?? []), path.join(root, step.command[0]), ...step.command.slice(1)];
    const env = {
      ...process.env,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
      PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
    };
    const child = spawn(node, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (output = (output + data).slice(-20_000)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${step.title}: ${step.command.join(' ')} ended with ${code ?? signal}\n${output}`));
    });
  });
}

async function generate(step) {
  if (!existsSync(path.join(root, step.requires))) return;
  const digest = digestOf(step);
  if (isCurrent(step, digest)) return;
  const startedAt = Date.now();
  const slow = setInterval(
    () => process.stderr.write(`generating ${step.title}: ${Math.round((Date.now() - startedAt) / 1000)} s\n`),
    5_000,
  );
  try {
    await run(step);
  } finally {
    clearInterval(slow);
  }
  mkdirSync(markerDir, { recursive: true });
  // The digest of before: an input edited while the step ran makes it run again.
  writeFileSync(path.join(markerDir, step.name), digest);
  process.stderr.write(`generated ${step.title} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

/** Each chosen step's end, by its name; one whose writer failed does not run. */
const ends = new Map();
for (const step of steps) {
  const before = (writers[step.name] ?? []).map((name) => ends.get(name));
  ends.set(
    step.name,
    Promise.all(before).then(
      () => generate(step),
      () => undefined,
    ),
  );
}
for (const result of await Promise.allSettled(ends.values())) {
  if (result.status === 'fulfilled') continue;
  process.exitCode = 1;
  process.stderr.write(`${result.reason.message}\n`);
}
