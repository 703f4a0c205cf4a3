/**
 * Builds `bundles/launch.mjs`, one file that needs nothing but Node, and `bundles/launch-cli-release.json`, which describes the
 * program and its inputs. The same commit and lockfile give the same bytes in any folder. Needs
 * `clients/api-client/src/generated` and `solidity/artifacts`: `npx nx run launch-cli:generate`.
 *
 *     node clients/launch-cli/build.mjs [folder]
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourceCommitOf } from '../../tools/build-info.mjs';
import { noticeOfSources, noticesOf } from '../multi-role/build/notices.mjs';
import { readInventoryMaterial } from '../multi-role/build/inventory-material.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.argv[2] ?? join(repository, 'clients/launch-cli/bundles');

const { material, notices } = readInventoryMaterial(repository);

/**
 * Bundles one module with its imports, and returns its text and the paths of the files whose code it contains.
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
    // Names and comments would contain the folders of packages. Node reads ASCII text in half the time.
    minify: true,
    charset: 'ascii',
    define: Object.fromEntries(Object.entries(carried).map(([name, value]) => [name, JSON.stringify(value)])),
    // The licence of every package follows at the end (`noticesOf`).
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  // Definitions are among the inputs too, under a name that is not a file.
  const paths = Object.entries(output.inputs)
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('<define:'))
    .map(([path]) => path);
  return { text: outputFiles[0].text, paths };
}

// Help reads only its table. The module that runs commands is a text in the program, compiled when a command runs.
const commands = await bundle('run-launch.ts', { INVENTORY_MATERIAL: material });
const main = await bundle('launch.main.ts', { LAUNCH_COMMANDS: commands.text });
const bundled = [...new Set([...commands.paths, ...main.paths])];

/** Writes a whole file, so a reader of the folder never sees half of it, even while another build runs. */
function writeWhole(name, text, mode) {
  const partial = join(folder, `.${name}.${process.pid}`);
  writeFileSync(partial, text);
  chmodSync(partial, mode);
  renameSync(partial, join(folder, name));
}

const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Reads a constant from the sources. */
function constantOf(path, name) {
  const [, value] = new RegExp(`^export const ${name} = '([^']+)';$`, 'm').exec(
    readFileSync(join(repository, path), 'utf8'),
  );
  return value;
}

const RELEASE = 'clients/launch-cli/src/version/release.ts';
const profile = constantOf(RELEASE, 'API_PROFILE');
const program = Buffer.from(
  `#!/usr/bin/env node\n${main.text}${noticesOf(repository, bundled)}${noticeOfSources(notices)}`,
  'utf8',
);
const release = {
  apiProfile: profile,
  file: { byteLength: program.length, path: 'launch.mjs', sha256: sha256(program) },
  openApiSha256: sha256(readFileSync(join(repository, `libs/contracts/machine/${profile.replace(/\.0$/, '')}.json`))),
  schemaVersion: 'service.launch-cli-release.v1',
  sourceCommit: sourceCommitOf(repository),
  version: constantOf(RELEASE, 'VERSION'),
};

mkdirSync(folder, { recursive: true });
writeWhole('launch.mjs', program, 0o755);
writeWhole('launch-cli-release.json', JSON.stringify(release), 0o644);
