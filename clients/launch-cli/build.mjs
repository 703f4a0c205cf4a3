/**
 * Builds `bundles/launch.mjs`, one file that needs nothing but Node, and `bundles/launch-cli-release.json`, which names
 * what it is and what it was made from. The same commit and lockfile give the same bytes in any folder. Needs `clients/api-client/src/generated`
 * and `solidity/artifacts`: `npx nx run launch-cli:generate`.
 *
 *     node clients/launch-cli/build.mjs [folder]
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticeOfSources, noticesOf } from '../multi-role/build/notices.mjs';
import { readInventoryMaterial } from '../multi-role/build/inventory-material.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.argv[2] ?? join(repository, 'clients/launch-cli/bundles');

const { material, notices } = readInventoryMaterial(repository);

/**
 * One module of what an entry needs, as text, and the paths of whose code is in it.
 * @param {string} entry
 * @param {Record<string, unknown>} carried constants of the build
 */
async function bundle(entry, carried) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: [join('clients/launch-cli/src', entry)],
    outfile: 'launch.mjs',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['@launch/source'],
    mainFields: ['module', 'main'],
    // Names and comments would tell the folders that packages stand in. A text of ASCII takes Node half the time to read.
    minify: true,
    charset: 'ascii',
    define: Object.fromEntries(Object.entries(carried).map(([name, value]) => [name, JSON.stringify(value)])),
    // Every package's whole licence follows at the end, see noticesOf.
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  // Definitions stand among the inputs too, under a name that is no file's.
  const paths = Object.entries(output.inputs)
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('<define:'))
    .map(([path]) => path);
  return { text: outputFiles[0].text, paths };
}

// Help reads no more than its table: what runs commands is a text in the program, which is no code before one is run.
const commands = await bundle('run-launch.ts', { INVENTORY_MATERIAL: material });
const main = await bundle('launch.main.ts', { LAUNCH_COMMANDS: commands.text });
const bundled = [...new Set([...commands.paths, ...main.paths])];

/** A reader of the folder never sees half a file, whoever else builds at the same time. */
function writeWhole(name, text, mode) {
  const partial = join(folder, `.${name}.${process.pid}`);
  writeFileSync(partial, text);
  chmodSync(partial, mode);
  renameSync(partial, join(folder, name));
}

const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const git = (...command) => execFileSync('git', command, { cwd: repository, encoding: 'utf8', stdio: 'pipe' }).trim();

/** The commit that the tree is; null where it is none, or was changed since. */
function sourceCommit() {
  try {
    const isOurs = realpathSync(git('rev-parse', '--show-toplevel')) === realpathSync(repository);
    return isOurs && git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null;
  } catch {
    // No git, or no repository: an unpacked archive.
    return null;
  }
}

/** A constant of the sources. */
function constantOf(path, name) {
  const [, value] = new RegExp(`^export const ${name} = '([^']+)';$`, 'm').exec(
    readFileSync(join(repository, path), 'utf8'),
  );
  return value;
}

const RELEASE = 'clients/launch-cli/src/version/release.ts';
const program = Buffer.from(
  `#!/usr/bin/env node\n${main.text}${noticesOf(repository, bundled)}${noticeOfSources(notices)}`,
  'utf8',
);
const release = {
  apiProfile: constantOf(RELEASE, 'API_PROFILE'),
  file: { byteLength: program.length, path: 'launch.mjs', sha256: sha256(program) },
  openApiSha256: constantOf('clients/api-client/src/generated/document.ts', 'OPENAPI_SHA256'),
  schemaVersion: 'service.launch-cli-release.v1',
  sourceCommit: sourceCommit(),
  version: constantOf(RELEASE, 'VERSION'),
};

mkdirSync(folder, { recursive: true });
writeWhole('launch.mjs', program, 0o755);
writeWhole('launch-cli-release.json', JSON.stringify(release), 0o644);
