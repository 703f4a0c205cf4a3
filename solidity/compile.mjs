/**
 * Compiles every contract of this folder into `artifacts/`: one `<Contract>.json` each, the published Standard JSON
 * input of each recipe's closure with its notices, and PoolManager's own build under the same shape.
 * Does nothing when sources, settings, packages and these scripts are what the artifacts were made from;
 * `--force` compiles regardless.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from './build/canonical-json.mjs';
import { recipeNotices, recipes, recipeSources, recipeStandardJson } from './build/closure.mjs';
import { compileGroups } from './build/compile-groups.mjs';
import { packageDir, solidityDir, sourceClosure } from './build/sources.mjs';
import { compilerVersion, settings } from './build/solc.mjs';

const artifactsDir = join(solidityDir, 'artifacts');
const stampFile = join(artifactsDir, 'inputs.json');
const poolManagerBuild = () =>
  readFileSync(join(packageDir('@uniswap/v4-core'), 'out/PoolManager.sol/PoolManager.json'), 'utf8');

const solidityFilesIn = (folder) =>
  readdirSync(join(solidityDir, folder))
    .filter((name) => name.endsWith('.sol'))
    .sort()
    .map((name) => `${folder}/${name}`);

/** Contracts of tests that build on contracts of `src/`. They are compiled with these. */
const CHANGED_ROUTER = 'test/contracts/DomainChangingRouter.sol';
const CHANGED_LAUNCHER = 'test/contracts/MisstatingLauncher.sol';

const group = (entries, owned = entries) => ({ sources: sourceClosure(entries), owned });

/**
 * Separate compilations: each recipe's closure alone, so that its bytecode cannot depend on anything a submitter lacks. Of the
 * others those go together that build on the same contracts, which the compiler would otherwise compile once for each.
 */
const groups = () => [
  ...recipes.map((recipe) => ({ sources: recipeSources(recipe), owned: [`src/${recipe}/`] })),
  group(['src/MultiRoleLaunchStampRouterV2.sol', ...solidityFilesIn('src/support')], ['src/']),
  group([...solidityFilesIn('src/module-native'), ...solidityFilesIn('src/module-engine'), CHANGED_LAUNCHER]),
  group([
    'src/EthereumLaunchStampRouterV1.sol',
    'src/ServiceLaunchStampRouterV1.sol',
    ...solidityFilesIn('src/foundation'),
    ...solidityFilesIn('src/foundation-graph'),
    CHANGED_ROUTER,
  ]),
  group(solidityFilesIn('test/contracts').filter((file) => file !== CHANGED_ROUTER && file !== CHANGED_LAUNCHER)),
];

function poolManagerArtifact() {
  const built = JSON.parse(poolManagerBuild());
  const references = built.deployedBytecode.immutableReferences;
  return {
    contract: 'PoolManager',
    path: '@uniswap/v4-core/src/PoolManager.sol',
    abi: built.abi,
    creationCode: built.bytecode.object,
    runtimeCode: built.deployedBytecode.object,
    immutableReferences: references,
    // The build has no syntax tree; NoDelegateCall declares PoolManager's only immutable.
    immutables: Object.values(references).map((places) => ({
      name: 'original',
      declaredIn: 'NoDelegateCall',
      type: 'address',
      offsets: places.map((place) => place.start),
    })),
  };
}

function inputsDigest() {
  const hash = createHash('sha256');
  const scripts = readdirSync(join(solidityDir, 'build'))
    .sort()
    .map((name) => join('build', name));
  const notices = readdirSync(join(solidityDir, 'notices'))
    .sort()
    .map((name) => join('notices', name));
  for (const file of [...scripts, ...notices, 'compile.mjs'])
    hash.update(file).update(readFileSync(join(solidityDir, file)));
  hash.update(compilerVersion).update(canonicalJson(settings)).update(poolManagerBuild());
  for (const { sources } of groups()) hash.update(canonicalJson(sources));
  return hash.digest('hex');
}

/** True if the stamp names these inputs and every file it promised is there. */
function isFresh(digest) {
  if (!existsSync(stampFile)) return false;
  const stamp = JSON.parse(readFileSync(stampFile, 'utf8'));
  return stamp.digest === digest && stamp.files.every((name) => existsSync(join(artifactsDir, name)));
}

/** Writes a file atomically, so that a reader never sees half of it during concurrent compilations. */
function writeWhole(name, text) {
  const partial = join(artifactsDir, `.${name}.${process.pid}`);
  writeFileSync(partial, text);
  renameSync(partial, join(artifactsDir, name));
}

/** @returns {Promise<boolean>} whether anything was compiled */
export async function compile({ force = false } = {}) {
  const digest = inputsDigest();
  if (!force && isFresh(digest)) return false;
  mkdirSync(artifactsDir, { recursive: true });
  const files = new Map([
    ...recipes.flatMap((recipe) => [
      [`${recipe}-standard-json.json`, recipeStandardJson(recipe)],
      [`${recipe}-notices.json`, `${JSON.stringify(recipeNotices(recipe), null, 2)}\n`],
    ]),
    ['PoolManager.json', JSON.stringify(poolManagerArtifact())],
  ]);
  for (const artifacts of await compileGroups(groups())) {
    for (const artifact of artifacts) {
      const name = `${artifact.contract}.json`;
      if (files.has(name)) throw new Error(`two contracts are called ${artifact.contract}`);
      files.set(name, `${JSON.stringify(artifact, null, 1)}\n`);
    }
  }
  for (const [name, text] of files) writeWhole(name, text);
  writeWhole('inputs.json', `${JSON.stringify({ digest, files: [...files.keys()] })}\n`);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const compiled = await compile({ force: process.argv.includes('--force') });
  process.stdout.write(compiled ? 'solidity/artifacts written\n' : 'solidity/artifacts are up to date\n');
}
