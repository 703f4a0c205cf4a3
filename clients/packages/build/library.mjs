/** Bundles a package's library and its programs: modules that need nothing but Node, and share their common code. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { noticesOf } from '../../multi-role/build/notices.mjs';

const LOCALES = /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/;
/** Omits zod's messages in other languages. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: LOCALES }, () => ({ contents: "export { default as en } from './en.js';", loader: 'js' }));
  },
};

/**
 * Returns the bundled files by name. The same sources and lockfile give the same bytes in every folder.
 * @param {string} repository root of the tree
 * @param {Record<string, string>} entries the source of each entry, by its name in the package
 * @param {{platform: 'node' | 'browser', target: string, define?: Record<string, unknown>}} options
 * @returns {Promise<{files: Map<string, Uint8Array | string>, notices: string}>} and the licences of the packages in them
 */
export async function bundleLibrary(repository, entries, { platform, target, define = {} }) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: entries,
    // All files are in one folder, where a program finds its children.
    outdir: '.',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform,
    format: 'esm',
    target,
    conditions: ['@launch/source'],
    mainFields: ['module', 'main'],
    // Names and comments would contain the folders of packages.
    minify: true,
    charset: 'ascii',
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
    logLevel: 'error',
    plugins: [englishOnly],
  });
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('<define:')),
  );
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [path.slice(join(repository, '/').length), contents])),
    notices: noticesOf(repository, [...new Set(bundled.map(([path]) => path))]),
  };
}
