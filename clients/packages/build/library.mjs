/** Bundles a package's library and its programs: modules that need nothing but Node, and share their common code. */
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { noticeBlocksOf } from '../../multi-role/build/notices.mjs';

const LOCALES = /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/;
/** Omits zod's messages in other languages. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: LOCALES }, () => ({ contents: "export { default as en } from './en.js';", loader: 'js' }));
  },
};

/** Leaves imports of another entry as they are. A type has one identity only if one file declares it. */
const sharedEntry = (shared, entries) => ({
  name: 'shared-entry',
  setup({ onResolve }) {
    onResolve({ filter: shared }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      const up = Object.keys(entries)[0]
        .split('/')
        .slice(1)
        .map(() => '..');
      return { path: [...(up.length === 0 ? ['.'] : up), basename(path)].join('/'), external: true };
    });
  },
});

/**
 * Returns the bundled files by name. The same sources and lockfile give the same bytes in every folder.
 * @param {string} repository root of the tree
 * @param {Record<string, string>} entries the source of each entry, by its name in the package
 * @param {{platform: 'node' | 'browser', target: string, define?: Record<string, unknown>, shared?: RegExp}} options `shared` matches
 * imports of another entry, which stay imports: `./error.js` for `error`
 * @returns {Promise<{files: Map<string, Uint8Array>, notices: string[]}>} and the licences of the packages in them
 */
export async function bundleLibrary(repository, entries, { platform, target, define = {}, shared }) {
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
    // Resolved before unused code is dropped; `requirePortable` refuses one that is left.
    external: ['node:*'],
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
    plugins: [englishOnly, ...(shared === undefined ? [] : [sharedEntry(shared, entries)])],
  });
  if (platform === 'browser') requirePortable(metafile);
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('<define:')),
  );
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [path.slice(join(repository, '/').length), contents])),
    notices: noticeBlocksOf(repository, [...new Set(bundled.map(([path]) => path))]),
  };
}

/** @throws Error for a file that imports a module which only Node has */
function requirePortable({ outputs }) {
  for (const [path, { imports }] of Object.entries(outputs)) {
    const [foreign] = imports.filter((one) => one.external && one.path.startsWith('node:'));
    if (foreign !== undefined) throw new Error(`${path} imports ${foreign.path}, which a browser does not have`);
  }
}
