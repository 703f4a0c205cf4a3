// Heavy dependencies as one file each for Jest's module loader, which otherwise resolves, reads and compiles hundreds of modules
// anew for every test file: viem alone has some 600. They are made once for a lockfile, and lie where their own imports are found.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Entry points that become files of their own. They share their common parts, so that a class is one class everywhere. */
const ENTRIES = [
  'viem',
  'viem/accounts',
  'viem/utils',
  'zod',
  'fast-check',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
];

/** CommonJS, native, optional, or keeping state that everybody has to share: these stay as they are. */
const EXTERNAL = [
  'reflect-metadata',
  'fastify',
  '@fastify/*',
  'fast-querystring',
  'find-my-way',
  'light-my-request',
  'tslib',
  'class-transformer',
  'class-validator',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
];

const nameOf = (entry) => entry.replace('@', '').replaceAll('/', '-');
const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** What a bundle is made of: another lockfile or another recipe makes another folder. */
function version() {
  const hash = createHash('sha256');
  for (const file of [path.join(root, 'package-lock.json'), import.meta.filename]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

async function bundle(folder) {
  const { build } = await import('esbuild');
  await mkdir(path.dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(ENTRIES.map((entry) => [nameOf(entry), entry])),
    outdir: made,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    conditions: ['node'],
    external: EXTERNAL,
    // A class is known by its name: in Nest's errors, in viem's.
    keepNames: true,
    logLevel: 'error',
  });
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
  return Object.fromEntries(ENTRIES.map((entry) => [`^${escaped(entry)}$`, path.join(folder, `${nameOf(entry)}.mjs`)]));
}
