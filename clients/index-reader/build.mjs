/**
 * Builds `bundles/index-reader.mjs`, one file that needs nothing but Node. The same sources and lockfile give the same bytes in
 * every folder.
 *
 *     node clients/index-reader/build.mjs [folder]
 */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from '../multi-role/build/notices.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.argv[2] ?? join(repository, 'clients/index-reader/bundles');

const { metafile, outputFiles } = await build({
  absWorkingDir: repository,
  entryPoints: ['clients/index-reader/src/index-reader.main.ts'],
  outfile: 'index-reader.mjs',
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@launch/source'],
  mainFields: ['module', 'main'],
  // Names and comments would contain the folders of packages.
  minify: true,
  charset: 'ascii',
  // The licence of every package follows at the end (`noticesOf`).
  legalComments: 'none',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
  logLevel: 'error',
});
const [output] = Object.values(metafile.outputs);
const bundled = Object.entries(output.inputs)
  .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  .map(([path]) => path);
const text = `#!/usr/bin/env node\n${outputFiles[0].text}${noticesOf(repository, bundled)}`;
mkdirSync(folder, { recursive: true });
// Renames a complete file, so a reader never sees half a file, even while another build runs.
const partial = join(folder, `.index-reader.mjs.${process.pid}`);
writeFileSync(partial, text);
chmodSync(partial, 0o755);
renameSync(partial, join(folder, 'index-reader.mjs'));
