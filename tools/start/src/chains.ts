import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DevnetDescription } from '@launch/devnet';
import { startPostgres } from '@launch/postgres-server';
import type { DataFolder, Secrets } from './data-folder.js';
import { DataFolderError, readJson, writePrivate } from './data-folder.js';
import type { NodeProcess } from './node-process.js';
import { startNodeProcess } from './node-process.js';
import type { Ports } from './ports.js';

const READY_TIMEOUT_MS = 120_000;
/** Writing the state of two chains takes its time on a busy machine. */
const STOP_GRACE_MS = 30_000;

export interface Chains extends NodeProcess {
  devnet: DevnetDescription;
}

export interface ChainsOptions {
  folder: DataFolder;
  root: string;
  ports: Ports;
  finalitySeconds: number;
}

/** Starts the development chains as a child process and reads what it says of them. */
export async function startChains({ folder, root, ports, finalitySeconds }: ChainsOptions): Promise<Chains> {
  const names = ['l2-first', 'l2-second', 'l1-first', 'l1-second', 'faults'];
  const chosen: number[] = [];
  for (const name of names) chosen.push(await ports.choose(name));
  const child = await startNodeProcess(
    {
      name: 'the development chains',
      args: [path.join('tools', 'devnet', 'dist', 'main.js'), '--dir', folder.devnet, '--finality-seconds', String(finalitySeconds), '--ports', chosen.join(','), '--json'],
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '' },
      logFile: path.join(folder.logs, 'chains.log'),
      pidFile: path.join(folder.run, 'chains.pid'),
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopGraceMs: STOP_GRACE_MS,
    },
    (line) => line['schemaVersion'] === 'launch.devnet.v1',
  );
  return { ...child, devnet: child.ready as unknown as DevnetDescription };
}

/**
 * What the databases and Temporal know is about one pair of chains. When these are others than at the last start
 * (they do not survive a kill), the embedded state about the old ones is moved aside, whole; state that is not ours
 * to move is refused.
 * @returns the folder it went to, or undefined.
 * @throws DataFolderError
 */
export async function settleChains(options: { folder: DataFolder; secrets: Secrets; genesis: Readonly<Record<string, string>>; external: readonly string[] }): Promise<string | undefined> {
  const { folder, genesis, external } = options;
  const file = folder.file('chains.json');
  const known = await readJson<Record<string, string>>(file);
  const changed = known !== undefined && Object.entries(genesis).some(([chain, hash]) => known[chain] !== hash);
  let movedTo: string | undefined;
  if (changed) {
    if (external.length > 0) {
      throw new DataFolderError(`the development chains are new, but ${external.join(', ')} hold what belongs to the old ones: give new databases, or a new LAUNCH_DATA_DIR`);
    }
    movedTo = folder.file(path.join('aside', new Date().toISOString().replaceAll(':', '-')));
    await mkdir(movedTo, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    await endPostgres(folder, options.secrets);
    for (const name of [folder.postgres, folder.temporalDb, `${folder.temporalDb}-wal`, `${folder.temporalDb}-shm`]) {
      await rename(name, path.join(movedTo, path.basename(name))).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }
  await writePrivate(file, JSON.stringify(genesis, null, 2));
  return movedTo;
}

/** A server that an earlier start left running must not be moved from under its feet. */
async function endPostgres(folder: DataFolder, secrets: Secrets): Promise<void> {
  if ((await stat(path.join(folder.postgres, 'postmaster.pid')).catch(() => undefined)) === undefined) return;
  const server = await startPostgres({ dataDir: folder.postgres, password: await secrets.password('postgres') });
  await server.stop();
}
