import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { chainsIn } from '@launch/devnet';
import type { DevnetDescription, KeptChains } from '@launch/devnet';
import { endLeftover } from '@launch/platform/processes';
import { startPostgres } from '@launch/postgres-server';
import type { DataFolder, Secrets } from './data-folder.js';
import { DataFolderError, readJson, writePrivate } from './data-folder.js';
import { deployedContracts } from './deployed-contracts.js';
import type { NodeProcess } from './node-process.js';
import { startNodeProcess } from './node-process.js';
import type { Ports } from './ports.js';

const READY_TIMEOUT_MS = 120_000;
const STOP_GRACE_MS = 30_000;

export interface Chains extends NodeProcess {
  devnet: DevnetDescription;
}

export interface ChainsOptions {
  folder: DataFolder;
  root: string;
  /** Folder of the programs, see `programBundles`. */
  programs: string;
  /** Ports of both providers of 4663, both of 1, and the controls. */
  ports: readonly number[];
  finalitySeconds: number;
  /** Milliseconds between blocks of idle chains; absent: their default, 0: never idle. */
  idleBlockMs?: number | undefined;
  /** Gives up a start that is under way. */
  signal: AbortSignal;
}

const CHAINS_PROGRAM = path.join('tools', 'devnet', 'dist', 'main.js');
const pidFileOf = (folder: DataFolder): string => path.join(folder.run, 'chains.pid');

/**
 * Ports that stay the chains' own over every restart: the published context commits to their origins. Chains that a killed
 * start left running are ended first, since they still hold them.
 */
export async function chooseChainPorts(folder: DataFolder, ports: Ports): Promise<number[]> {
  await endLeftover(pidFileOf(folder), CHAINS_PROGRAM);
  const chosen: number[] = [];
  for (const name of ['l2-first', 'l2-second', 'l1-first', 'l1-second', 'faults'])
    chosen.push(await ports.choose(name));
  return chosen;
}

/** Starts the development chains as a child process and reads what it says of them. */
export async function startChains({
  folder,
  root,
  programs,
  ports,
  finalitySeconds,
  idleBlockMs,
  signal,
}: ChainsOptions): Promise<Chains> {
  const pace = [
    '--finality-seconds',
    String(finalitySeconds),
    ...(idleBlockMs === undefined ? [] : ['--idle-block-ms', String(idleBlockMs)]),
  ];
  const child = await startNodeProcess(
    {
      name: 'the development chains',
      program: CHAINS_PROGRAM,
      programs,
      args: ['--dir', folder.devnet, ...pace, '--ports', ports.join(','), '--json'],
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '' },
      logFile: path.join(folder.logs, 'chains.log'),
      pidFile: pidFileOf(folder),
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopGraceMs: STOP_GRACE_MS,
      signal,
    },
    (line) => line['schemaVersion'] === 'launch.devnet.v1',
  );
  const devnet = child.ready as unknown as DevnetDescription;
  return { ...child, devnet: { ...devnet, contracts: await deployedContracts(folder.devnet, devnet) } };
}

export interface SettleOptions {
  folder: DataFolder;
  secrets: Secrets;
  /** Begin anew, also if the folder has chains. */
  fresh: boolean;
  /** Asks the person at the terminal; undefined where there is none. */
  confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Variables that name state which is not ours to move. */
  external: readonly string[];
}

/**
 * Databases and Temporal know one pair of chains, so a start goes on with all of it or moves all of it aside. It moves
 * it only by `fresh`, or when the person at the terminal says so. Nothing is touched otherwise.
 * @returns the folder it went to, or undefined.
 * @throws DataFolderError saying what does not fit, where, and what to do.
 */
export async function settleKept({
  folder,
  secrets,
  fresh,
  confirm,
  external,
}: SettleOptions): Promise<string | undefined> {
  const known = await readJson<Record<string, string>>(chainsFile(folder));
  const problem = problemOf(folder, known, await chainsIn(folder.devnet));
  if (problem === undefined && !fresh) return undefined;
  if (!fresh) {
    const begin = await confirm?.(
      `${problem}. Begin new chains, and move what belongs to the old ones to ${folder.file('aside')}?`,
    );
    if (begin !== true) {
      throw new DataFolderError(
        `${problem}: begin anew with \`npm start -- --fresh\` (what is there is moved to ${folder.file('aside')}, nothing is deleted), or set another LAUNCH_DATA_DIR`,
      );
    }
  }
  if (known !== undefined && external.length > 0) {
    throw new DataFolderError(
      `new chains are wanted, but ${external.join(', ')} hold what belongs to the old ones: give new databases, or a new LAUNCH_DATA_DIR`,
    );
  }
  return moveAside(folder, secrets);
}

/** Notes which chains the databases are about. */
export function rememberChains(folder: DataFolder, genesis: Readonly<Record<string, string>>): Promise<void> {
  return writePrivate(chainsFile(folder), JSON.stringify(genesis, null, 2));
}

const chainsFile = (folder: DataFolder): string => folder.file('chains.json');

function problemOf(
  folder: DataFolder,
  known: Readonly<Record<string, string>> | undefined,
  found: KeptChains,
): string | undefined {
  if (found.kind === 'unreadable') return `the chains in ${folder.devnet} cannot be gone on with (${found.reason})`;
  if (known === undefined) return undefined;
  if (found.kind === 'none' || found.genesis === null)
    return `the databases in ${folder.root} are about chains that are not in ${folder.devnet}`;
  const { genesis } = found;
  const same = Object.entries(genesis).every(([chain, hash]) => known[chain] === hash);
  return same ? undefined : `the databases in ${folder.root} are about other chains than those in ${folder.devnet}`;
}

async function moveAside(folder: DataFolder, secrets: Secrets): Promise<string | undefined> {
  const movedTo = folder.file(path.join('aside', new Date().toISOString().replaceAll(':', '-')));
  const belongings = [
    chainsFile(folder),
    folder.devnet,
    folder.postgres,
    folder.temporalDb,
    `${folder.temporalDb}-wal`,
    `${folder.temporalDb}-shm`,
  ];
  const present = belongings.filter((name) => existsSync(name));
  if (!present.includes(chainsFile(folder)) && present.every((name) => name === folder.devnet)) {
    // Nothing was ever started here but, at most, chains: the folder itself is made at every start.
    if ((await readdir(folder.devnet).catch(() => [])).length === 0) return undefined;
  }
  await mkdir(movedTo, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await endPostgres(folder, secrets);
  // The note that binds all of it goes last: a start that died before that asks again, and goes on here.
  for (const name of present.reverse()) await rename(name, path.join(movedTo, path.basename(name)));
  await mkdir(folder.devnet, { recursive: true, mode: 0o700 });
  return movedTo;
}

/** A server that an earlier start left running must not be moved from under its feet. */
async function endPostgres(folder: DataFolder, secrets: Secrets): Promise<void> {
  if ((await stat(path.join(folder.postgres, 'postmaster.pid')).catch(() => undefined)) === undefined) return;
  const server = await startPostgres({ dataDir: folder.postgres, password: await secrets.password('postgres') });
  await server.stop();
}
