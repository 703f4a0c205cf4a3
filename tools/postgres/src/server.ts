import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, guardProcess, isProcessAlive, spawnGuarded, stopChild } from '@launch/platform/processes';
import { locateBinaries } from './binaries.js';
import { initCluster, placeCluster } from './cluster.js';
import { readPostmaster, servesFolder, waitUntil } from './postmaster.js';
import { chooseAccount } from './run-as.js';

export interface PostgresOptions {
  /** Folder of the cluster; created when absent. */
  dataDir: string;
  /** The superuser's password. The caller keeps it: a second start needs the same one. */
  password: string;
  /** 0 or absent: a free one. A server that already serves the folder keeps its own. */
  port?: number;
  /** False turns fsync and its like off: for throw-away clusters of tests only. Default true. */
  durable?: boolean;
  /** File of the server's log; default `<dataDir>.log`. */
  logFile?: string;
  /** Further `name=value` settings. */
  settings?: Record<string, string>;
  /** Gives up a start that is under way; nothing of it is left. */
  signal?: AbortSignal;
}

export interface PostgresServer {
  host: '127.0.0.1';
  port: number;
  pid: number;
  /** `created` and `found` started a server, `adopted` took over one that was already running. */
  origin: 'created' | 'found' | 'adopted';
  /** Connection string of the superuser for a database, default `postgres`. */
  adminUrl(database?: string): string;
  /** Connection string of another role. */
  url(role: { user: string; password: string; database: string }): string;
  /** Resolves when the server has ended, for any reason. */
  exited: Promise<void>;
  /** Fast shutdown; kills after 20 s. */
  stop(): Promise<void>;
}

export const SUPERUSER = 'postgres';

const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 20_000;
const ADOPTED_POLL_MS = 250;
const START_ATTEMPTS = 8;
const LOG_KEEP_BYTES = 8 << 20;

const VOLATILE_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '512MB' };

/**
 * Starts PostgreSQL on a folder, or adopts the server that already runs there (its parent was killed):
 * recognised by process, folder and login. Listens on 127.0.0.1 only, never on a socket file; passwords by SCRAM.
 * @throws Error with the end of the server's log when it does not come up; the signal's reason when it is given up.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await chooseAccount();
  const binaries = await locateBinaries(account);
  await mkdir(path.dirname(options.dataDir), { recursive: true });
  const place = await placeCluster(options.dataDir, account);
  const durable = options.durable ?? true;
  const { password, signal } = options;

  const running = await readPostmaster(place);
  if (
    running !== undefined &&
    (await servesFolder(connectionUrl(running.port, SUPERUSER, password, 'postgres'), place))
  ) {
    return adopt(running, password);
  }
  const origin = await initCluster({ place, binaries, account, user: SUPERUSER, password, durable, signal });
  const logFile = options.logFile ?? `${path.resolve(options.dataDir)}.log`;
  await rotate(logFile);

  let failure = '';
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    signal?.throwIfAborted();
    const port = options.port || (await freePort());
    const before = await sizeOf(logFile);
    const log = openSync(logFile, 'a', 0o600);
    const settings = {
      listen_addresses: HOST,
      unix_socket_directories: '',
      max_connections: '200',
      shared_buffers: '64MB',
      ...(durable ? {} : VOLATILE_SETTINGS),
      ...options.settings,
    };
    const child = spawnGuarded(
      binaries.postgres,
      [
        '-D',
        place,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // The working folder would otherwise be ours, which the account may not be able to read.
      {
        ...account,
        cwd: '/',
        stdio: ['ignore', log, log],
        stop: { signal: durable ? 'SIGINT' : 'SIGQUIT', graceMs: STOP_GRACE_MS },
      },
    );
    closeSync(log);
    let ended: string | undefined;
    child.once('error', (error) => (ended = error.message));
    child.once('exit', (code, signal) => (ended = `exit ${code ?? signal}`));
    const adminUrl = connectionUrl(port, SUPERUSER, password, 'postgres');
    if (
      await waitUntil(
        () => servesFolder(adminUrl, place),
        () => ended !== undefined || signal?.aborted === true,
        READY_TIMEOUT_MS,
      )
    ) {
      return started(child, port, password, origin, durable);
    }
    await stopChild(child, { signal: 'SIGQUIT', graceMs: 2_000 });
    signal?.throwIfAborted();
    failure = `${ended ?? 'not ready in time'}: ${await tail(logFile, before)}`;
    if (!isPassing(failure)) break;
    // A killed server's last sessions hold its shared memory for a moment; a port can be taken meanwhile.
    await sleep(250 * attempt, undefined, signal === undefined ? {} : { signal });
  }
  throw new Error(`PostgreSQL did not start on ${options.dataDir}: ${failure}`);
}

function isPassing(failure: string): boolean {
  return /shared memory block|could not bind|Address already in use|lock file "postmaster.pid" already exists|No such process/.test(
    failure,
  );
}

function started(
  child: ChildProcess,
  port: number,
  password: string,
  origin: PostgresServer['origin'],
  durable: boolean,
): PostgresServer {
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  const stop = () => stopChild(child, { signal: durable ? 'SIGINT' : 'SIGQUIT', graceMs: STOP_GRACE_MS });
  return describe(child.pid ?? 0, port, password, origin, exited, stop);
}

function adopt(running: { pid: number; port: number }, password: string): PostgresServer {
  // It was another's child: without this it would outlive us too.
  const release = guardProcess(running.pid, { signal: 'SIGINT', graceMs: STOP_GRACE_MS });
  let timer: NodeJS.Timeout;
  const exited = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      if (isProcessAlive(running.pid)) return;
      clearInterval(timer);
      release();
      resolve();
    }, ADOPTED_POLL_MS);
    timer.unref();
  });
  const stop = async () => {
    if (isProcessAlive(running.pid)) process.kill(running.pid, 'SIGINT');
    timer.ref();
    const killer = setTimeout(() => process.kill(running.pid, 'SIGKILL'), STOP_GRACE_MS);
    await exited;
    clearTimeout(killer);
  };
  return describe(running.pid, running.port, password, 'adopted', exited, stop);
}

function describe(
  pid: number,
  port: number,
  password: string,
  origin: PostgresServer['origin'],
  exited: Promise<void>,
  stop: () => Promise<void>,
): PostgresServer {
  return {
    host: HOST,
    port,
    pid,
    origin,
    adminUrl: (database = 'postgres') => connectionUrl(port, SUPERUSER, password, database),
    url: (role) => connectionUrl(port, role.user, role.password, role.database),
    exited,
    stop,
  };
}

function connectionUrl(port: number, user: string, password: string, database: string): string {
  return `postgresql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${HOST}:${port}/${encodeURIComponent(database)}`;
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

async function rotate(logFile: string): Promise<void> {
  if ((await sizeOf(logFile)) > LOG_KEEP_BYTES) {
    await rm(`${logFile}.1`, { force: true });
    await rename(logFile, `${logFile}.1`);
  }
}

async function tail(logFile: string, from: number): Promise<string> {
  const handle = await open(logFile, 'r');
  try {
    const size = (await handle.stat()).size;
    const start = Math.max(from, size - 2_000);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    await handle.read(buffer, 0, buffer.length, start);
    return buffer.toString('utf8').trim();
  } finally {
    await handle.close();
  }
}
