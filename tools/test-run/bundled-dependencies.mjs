// Heavy dependencies as one file each for Jest's module loader. It otherwise resolves, reads and compiles hundreds of
// modules anew for every test file: viem alone has some 600. They are made once for a lockfile, and lie where their own
// imports are found.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Entry points that become files of their own. They share their common parts, so that a class is one class everywhere. */
const ENTRIES = [
  'viem',
  'viem/accounts',
  'viem/utils',
  'zod',
  'fast-check',
  'pg',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
];

/** Entry points that are CommonJS: the names that they export are asked for while they are bundled. */
const COMMONJS_ENTRIES = [
  'fastify',
  'pino',
  'prom-client',
  '@temporalio/activity',
  '@temporalio/client',
  '@temporalio/common',
  '@temporalio/testing',
  '@temporalio/worker',
  '@temporalio/workflow',
];

/** Native, optional, keeping state that everybody has to share, or loaded by what runs outside of Jest: these stay as they are. */
const EXTERNAL = [
  'reflect-metadata',
  'tslib',
  'class-transformer',
  'class-validator',
  'pg-native',
  'swagger-ui-dist',
  'webpack',
  'heap-js',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@swc/*',
  '@temporalio/core-bridge',
];

const nameOf = (entry) => entry.replace('@', '').replaceAll('/', '-');
const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** What a bundle is made of: another lockfile or another recipe makes another folder. */
function version() {
  const hash = createHash('sha256');
  for (const file of [path.join(root, 'package-lock.json'), import.meta.filename]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** A CommonJS entry as a module with its names: esbuild alone would give it a default export only. */
const namedExports = {
  name: 'named-exports',
  setup(build) {
    const require = createRequire(path.join(root, 'package.json'));
    build.onResolve({ filter: /^commonjs-entry:/ }, ({ path: entry }) => ({
      path: entry.slice('commonjs-entry:'.length),
      namespace: 'commonjs-entry',
    }));
    build.onLoad({ filter: /.*/, namespace: 'commonjs-entry' }, ({ path: entry }) => {
      const names = Object.keys(require(entry)).filter((name) => name !== 'default' && /^[\w$]+$/.test(name));
      const source = JSON.stringify(entry);
      return {
        contents: `const module = require(${source});\nexport default module;\nexport const { ${names.join(', ')} } = module;\n`,
        resolveDir: root,
      };
    });
  },
};

/** Files that a package finds beside its own are still found there. */
const placesOfTheirOwn = {
  name: 'places-of-their-own',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.c?js$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      if (!/\b__dirname\b|\brequire\.resolve\('\./.test(source)) return undefined;
      const folder = path.dirname(file);
      const resolve = createRequire(file).resolve;
      return {
        contents: source
          .replaceAll(/\b__dirname\b/g, JSON.stringify(folder))
          .replaceAll(/\brequire\.resolve\('(\.[^']*)'\)/g, (call, name) => {
            try {
              return JSON.stringify(resolve(name));
            } catch {
              return call; // In a comment: the example of a file that a reader has.
            }
          }),
      };
    });
  },
};

/** Temporal's messages are a literal of 1.4 MB, which V8 reads far slower as program text than as JSON. */
const tableAsText = {
  name: 'table-as-text',
  setup(build) {
    build.onLoad({ filter: /[\\/]@temporalio[\\/]proto[\\/]protos[\\/]json-module\.js$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const [opening, closing] = ['.addJSON(', '\n});'];
      const begin = source.indexOf(opening) + opening.length;
      const end = source.lastIndexOf(closing) + closing.length - 2;
      const table = JSON.stringify(JSON.stringify(JSON.parse(source.slice(begin, end))));
      return { contents: `${source.slice(0, begin)}JSON.parse(${table})${source.slice(end)}` };
    });
  },
};

async function bundle(folder) {
  const { build, stop } = await import('esbuild');
  await mkdir(path.dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([
      ...ENTRIES.map((entry) => [nameOf(entry), entry]),
      ...COMMONJS_ENTRIES.map((entry) => [nameOf(entry), `commonjs-entry:${entry}`]),
    ]),
    outdir: made,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    conditions: ['node'],
    external: EXTERNAL,
    plugins: [namedExports, tableAsText, placesOfTheirOwn],
    // What is CommonJS inside asks for Node's own modules and for the external ones by require.
    banner: {
      js: "import { createRequire as requireOfThisFile } from 'node:module'; const require = requireOfThisFile(import.meta.url);",
    },
    // A class is known by its name: in Nest's errors, in viem's.
    keepNames: true,
    // V8 reads all of it for every test file: comments and indentation are half of it.
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'error',
  }).finally(stop);
  // Two runs may make it at once: it appears whole, and the first stays.
  await rename(made, folder).catch(async (error) => {
    if (!existsSync(folder)) throw error;
    await rm(made, { recursive: true, force: true });
  });
}

/** Entries of Jest's `moduleNameMapper` for the bundled dependencies, which are made if they are not there yet. */
export async function bundledDependencies() {
  const folder = path.join(root, 'node_modules', '.cache', 'jest-dependencies', version());
  if (!existsSync(folder)) await bundle(folder);
  return Object.fromEntries(
    [...ENTRIES, ...COMMONJS_ENTRIES].map((entry) => [
      `^${escaped(entry)}$`,
      path.join(folder, `${nameOf(entry)}.mjs`),
    ]),
  );
}
