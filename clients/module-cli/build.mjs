/**
 * Builds `bundles/<version>/module-cli.mjs`, the newest release of the module CLI: one file, which needs nothing but Node. The
 * same sources and lockfile give the same bytes in every folder. Earlier releases are only in `frozen`.
 *
 *     node clients/module-cli/build.mjs [folder]
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from '../multi-role/build/notices.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.argv[2] ?? join(repository, 'clients/module-cli/bundles');
const releases = JSON.parse(readFileSync(join(repository, 'clients/module-cli/releases.json'), 'utf8'));
// The source commit is known only after the release is built, so it is not part of it.
const { sourceCommit: _, ...release } = releases.at(-1);

const LOCALES = /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/;
/** Omits zod's messages in other languages. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: LOCALES }, () => ({ contents: "export { default as en } from './en.js';", loader: 'js' }));
  },
};

const { metafile, outputFiles } = await build({
  absWorkingDir: repository,
  entryPoints: ['clients/module-cli/src/module-cli.main.ts'],
  outfile: 'module-cli.mjs',
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  conditions: ['@launch/source'],
  mainFields: ['module', 'main'],
  // Names and comments would contain the folders of packages.
  minify: true,
  charset: 'ascii',
  define: { MODULE_CLI_RELEASE: JSON.stringify(release) },
  // The licence of every package follows at the end (`noticesOf`).
  legalComments: 'none',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
  logLevel: 'error',
  plugins: [englishOnly],
});
const [output] = Object.values(metafile.outputs);
const bundled = Object.entries(output.inputs)
  .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('<define:'))
  .map(([path]) => path);
const text = `#!/usr/bin/env node\n${outputFiles[0].text}${noticesOf(repository, bundled)}`;
const place = join(folder, release.version);
mkdirSync(place, { recursive: true });
// Renames a complete file, so a reader never sees half a file, even while another build runs.
const partial = join(place, `.module-cli.mjs.${process.pid}`);
writeFileSync(partial, text);
chmodSync(partial, 0o755);
renameSync(partial, join(place, 'module-cli.mjs'));
