import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { bundlePrograms } from './program-recipe.js';

/** The operator's command. */
export const ADMIN_PROGRAM = 'apps/api-gateway/dist/composition/admin/main.js';
/** Judges the gateway's configuration. */
export const CHECK_PROGRAM = 'apps/api-gateway/dist/composition/configuration/check.main.js';

/** Serves reviewers, apart from the public gateway. */
export const REVIEW_CONSOLE_PROGRAM = 'apps/api-gateway/dist/composition/review-console/main.js';

/** Programs of the product that a stack runs, as the build leaves them below the repository's root. */
export const PROGRAMS = [
  'apps/permit-custody/dist/main.js',
  'apps/admission-worker/dist/main.js',
  'apps/finality-worker/dist/main.js',
  'apps/module-builder/dist/main.js',
  'apps/module-review/dist/main.js',
  'apps/indexer/dist/main.js',
  'apps/api-gateway/dist/main.js',
  REVIEW_CONSOLE_PROGRAM,
  ADMIN_PROGRAM,
  CHECK_PROGRAM,
  'tools/devnet/dist/main.js',
] as const;

/** Files that a bundle may be made of, besides what the lockfile names. */
const BUILT = '{apps,libs,prisma,tools}/*/dist/**/*.js';
/** A running process loads some parts late. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Those who start at once in one process wait for the same bundles. */
const underWay = new Map<string, Promise<string>>();

/**
 * The programs in a few files: Node otherwise resolves, reads and compiles up to 3,000 modules at each start of one.
 * They are made once for a lockfile and a build, and lie where the packages that stay outside are found.
 * @returns the folder that holds them by the paths they have below `root`.
 */
export function programBundles(root: string): Promise<string> {
  const begun = underWay.get(root);
  if (begun !== undefined) return begun;
  const bundles = findOrMake(root).finally(() => underWay.delete(root));
  underWay.set(root, bundles);
  return bundles;
}

async function findOrMake(root: string): Promise<string> {
  const all = path.join(root, 'node_modules', '.cache', 'launch-programs');
  const folder = path.join(all, await versionOf(root));
  if (existsSync(folder)) {
    const now = new Date();
    await utimes(folder, now, now).catch(() => undefined);
    return folder;
  }
  await mkdir(all, { recursive: true });
  await removeOld(all);
  await make(root, folder);
  return folder;
}

/** Another lockfile or build, this file's own among it, or the same in another place makes another folder. */
async function versionOf(root: string): Promise<string> {
  const hash = createHash('sha256')
    .update(root)
    .update(await readFile(path.join(root, 'package-lock.json')));
  const built: string[] = [];
  for await (const file of glob(BUILT, { cwd: root })) built.push(file);
  const states = await Promise.all(built.sort().map((file) => stat(path.join(root, file))));
  states.forEach(({ size, mtimeMs }, index) => hash.update(`\n${built[index]} ${size} ${mtimeMs}`));
  return hash.digest('hex').slice(0, 16);
}

async function make(root: string, folder: string): Promise<void> {
  const made = await mkdtemp(`${folder}-`);
  try {
    await bundlePrograms({ root, programs: PROGRAMS, folder: made });
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    // Two starts may make it at once: it appears whole, and the first stays.
    if (!existsSync(folder)) throw error;
  }
}

async function removeOld(all: string): Promise<void> {
  for await (const name of glob('*', { cwd: all })) {
    const folder = path.join(all, name);
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > KEPT_MS) await rm(folder, { recursive: true, force: true });
  }
}
