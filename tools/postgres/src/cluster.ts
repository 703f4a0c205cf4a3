import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '@launch/platform/processes';
import { REACHABLE_ROOT } from './binaries.js';
import type { PostgresBinaries } from './binaries.js';
import type { RunAs } from './run-as.js';
import { isReachable } from './run-as.js';

const INIT_TIMEOUT_MS = 120_000;

/**
 * Returns the folder of the cluster's files. The account of a root user's PostgreSQL cannot enter a closed folder, so its
 * files are in a system folder, and `dataDir` is a link to them.
 */
export async function placeCluster(dataDir: string, account: RunAs | undefined): Promise<string> {
  const linked = await readlink(dataDir).catch(() => undefined);
  if (linked !== undefined) return path.resolve(path.dirname(dataDir), linked);
  if (await isReachable(dataDir, account)) return path.resolve(dataDir);
  const name = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16);
  const place = path.join(REACHABLE_ROOT, `data-${name}-${randomBytes(4).toString('hex')}`);
  await mkdir(REACHABLE_ROOT, { recursive: true, mode: 0o755 });
  await mkdir(path.dirname(dataDir), { recursive: true });
  await symlink(place, dataDir);
  return place;
}

/** Creates the cluster unless it is there. Interrupted attempts leave nothing that a later start would take for one. */
export async function initCluster(options: {
  place: string;
  binaries: PostgresBinaries;
  account: RunAs | undefined;
  user: string;
  password: string;
  durable: boolean;
  signal: AbortSignal | undefined;
}): Promise<'created' | 'found'> {
  const { place, binaries, account } = options;
  if ((await stat(path.join(place, 'PG_VERSION')).catch(() => undefined)) !== undefined) {
    await requireSameMajor(place, binaries.version);
    return 'found';
  }
  const partial = `${place}.init`;
  const passwordFile = `${place}.init-password`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
    if (account !== undefined) {
      await chown(partial, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    await runProgram(
      binaries.initdb,
      [
        `--pgdata=${partial}`,
        '--auth=scram-sha-256',
        `--username=${options.user}`,
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C',
        '--data-checksums',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { ...account, timeout: INIT_TIMEOUT_MS, maxBuffer: 1 << 20, cwd: '/' },
      options.signal,
    );
    await chmod(partial, 0o700);
    await rename(partial, place);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    options.signal?.throwIfAborted();
    const stderr = (error as { stderr?: string }).stderr ?? '';
    throw new Error(`PostgreSQL could not create its data folder: ${stderr.trim().slice(-2000) || String(error)}`, {
      cause: error,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
  return 'created';
}

async function requireSameMajor(place: string, packageVersion: string): Promise<void> {
  const found = (await readFile(path.join(place, 'PG_VERSION'), 'utf8')).trim();
  const wanted = packageVersion.split('.')[0];
  if (found !== wanted) {
    throw new Error(
      `the data folder ${place} belongs to PostgreSQL ${found}, this is PostgreSQL ${wanted}: move it aside or upgrade it`,
    );
  }
}
