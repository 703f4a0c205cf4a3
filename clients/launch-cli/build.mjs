/**
 * Builds `bundles/launch.mjs`: one file that needs nothing but Node. The same commit and lockfile give the same bytes
 * wherever the tree stands. Needs `clients/api-client/src/generated` (node tools/generate.mjs api-client).
 *
 *     node clients/launch-cli/build.mjs [folder]
 */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from '../multi-role/build/notices.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.argv[2] ?? join(repository, 'clients/launch-cli/bundles');

const { metafile, outputFiles } = await build({
  absWorkingDir: repository,
  entryPoints: ['clients/launch-cli/src/launch.main.ts'],
  outfile: 'launch.mjs',
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  conditions: ['@launch/source'],
  charset: 'utf8',
  banner: { js: '#!/usr/bin/env node' },
  // Every package's whole licence follows at the end, see noticesOf.
  legalComments: 'none',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
  logLevel: 'error',
});
const [output] = Object.values(metafile.outputs);
const bundled = Object.entries(output.inputs)
  .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  .map(([path]) => path);

/** A reader of the folder never sees half a file, whoever else builds at the same time. */
function writeWhole(name, text, mode) {
  const partial = join(folder, `.${name}.${process.pid}`);
  writeFileSync(partial, text);
  chmodSync(partial, mode);
  renameSync(partial, join(folder, name));
}

mkdirSync(folder, { recursive: true });
writeWhole('launch.mjs', `${outputFiles[0].text}${noticesOf(repository, bundled)}`, 0o755);
