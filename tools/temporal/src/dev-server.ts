import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { CUSTODY_ENDPOINT, NAMESPACES, TASK_QUEUES } from '@launch/contracts/orchestration';
import { endLeftover, freePort, recordProcess, spawnGuarded, stopChild } from '@launch/platform/processes';
import type { Progress } from './fetch-wheel.js';
import { locateTemporal } from './locate-server.js';
import { CALLS, makeEndpoint } from './nexus-endpoints.js';
import { registerMissingAttributes } from './search-attributes.js';

export interface TemporalOptions {
  /** SQLite file of the server's state; absent: in memory. */
  dbFile?: string;
  /** False leaves it to the system when the file reaches the disk: for throw-away state of tests only. Default true. */
  durable?: boolean;
  /** gRPC port; 0 or absent: a free one. */
  port?: number;
  /** Port of the web UI, 0: a free one; absent: no UI. */
  uiPort?: number;
  /** Its namespaces; by default those of the product, `launches` first. */
  namespaces?: readonly [string, ...string[]];
  /** Types of search attributes by name. A kept state gets those that it does not have. */
  searchAttributes?: Readonly<Record<string, string>>;
  /** The server's dynamic configuration, by key. */
  dynamicConfig?: Readonly<Record<string, boolean | number | string>>;
  /** File of the server's log; default `<dbFile>.log`, or none for a server in memory. */
  logFile?: string;
  progress?: Progress;
  /** Gives up a start that is under way, its fetch too; nothing of it is left. */
  signal?: AbortSignal;
}

export interface TemporalServer {
  /** `127.0.0.1:port`. */
  address: string;
  /** The first namespace. */
  namespace: string;
  /** Address of the web UI, or null. */
  ui: string | null;
  pid: number;
  version: string;
  /** Resolves when the server has ended, for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

interface Served {
  readonly address: string;
  readonly namespaces: readonly [string, ...string[]];
}

const HOST = '127.0.0.1';
/**
 * A shard of the server reads its timers so far ahead, and a timer made in that time fires only after it: by default (1s) each
 * pause of a workflow takes a second at least. One process alone needs no allowance for clocks that differ.
 */
const TIMERS = { 'history.timerProcessorMaxTimeShift': '20ms' } as const;
/**
 * Serves the fairness keys of one task queue in turns, so that a caller's flood of tasks delays its own tasks only. Turns and
 * priorities are exact within a partition; these queues need no second one.
 */
const FAIR_QUEUES = {
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
} as const;
/**
 * Settings of the Go runtime: a fifth less processor time for a quarter more memory (some 50 MB). SQLite has one writer, so a second
 * core gave nothing but changes between them.
 */
const RUNTIME = { GOGC: '400', GOMAXPROCS: '1' } as const;
/** SQLite's own way makes and removes a file for each of the server's transactions, and this one appends to one that stays. */
const JOURNAL = ['--sqlite-pragma', 'journal_mode=wal'] as const;
const ALL_NAMESPACES = [NAMESPACES.launches, NAMESPACES.custody, NAMESPACES.modules] as const;
const READY_TIMEOUT_MS = 60_000;
const PROBE_MS = 1_000;
const START_ATTEMPTS = 5;
/** Custody, as launches call it: the deployment makes the same endpoint (deploy/temporal/namespace.sh). */
const ENDPOINT = { name: CUSTODY_ENDPOINT, namespace: NAMESPACES.custody, taskQueue: TASK_QUEUES.custody } as const;
/** Writes of an endpoint are visible at once: there is one process. */
const ENDPOINTS = { 'system.forceNexusEndpointRefreshOnRead': true } as const;
const STOP = { signal: 'SIGTERM', graceMs: 5_000 } as const;

/**
 * Starts a local Temporal server on 127.0.0.1 and waits until its namespaces answer. A server that an earlier run left on the
 * same state file is ended first. It cannot outlive this process.
 * @throws Error when it does not come up; the signal's reason when it is given up.
 */
export async function startTemporal(options: TemporalOptions = {}): Promise<TemporalServer> {
  const { dbFile, signal, namespaces = ALL_NAMESPACES } = options;
  const located = await locateTemporal(options.progress, signal);
  const pidFile = dbFile === undefined ? undefined : `${dbFile}.pid`;
  if (dbFile !== undefined && pidFile !== undefined) {
    await mkdir(path.dirname(dbFile), { recursive: true });
    await endLeftover(pidFile, dbFile);
  }
  const isKept = dbFile !== undefined && existsSync(dbFile);
  const logFile = options.logFile ?? (dbFile === undefined ? undefined : `${dbFile}.log`);
  let failure = '';
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    signal?.throwIfAborted();
    const port = options.port || (await freePort());
    const uiPort = options.uiPort === undefined ? undefined : options.uiPort || (await freePort());
    const args = [
      'server',
      'start-dev',
      '--ip',
      HOST,
      '--port',
      String(port),
      '--log-level',
      'error',
      ...namespaces.flatMap((namespace) => ['--namespace', namespace]),
      ...(uiPort === undefined ? ['--headless'] : ['--ui-ip', HOST, '--ui-port', String(uiPort)]),
      ...(dbFile === undefined ? [] : ['--db-filename', dbFile, ...JOURNAL]),
      ...(options.durable === false ? ['--sqlite-pragma', 'synchronous=off'] : []),
      ...Object.entries(options.searchAttributes ?? {}).flatMap(([name, type]) => [
        '--search-attribute',
        `${name}=${type}`,
      ]),
      ...Object.entries({ ...TIMERS, ...FAIR_QUEUES, ...ENDPOINTS, ...CALLS, ...options.dynamicConfig }).flatMap(
        ([key, value]) => ['--dynamic-config-value', `${key}=${JSON.stringify(value)}`],
      ),
    ];
    const { child, tail } = await spawnLogged(located.program, args, logFile);
    if (pidFile !== undefined && child.pid !== undefined) await recordProcess(pidFile, child.pid);
    const address = `${HOST}:${port}`;
    if (await answers({ address, namespaces }, child, signal)) {
      const server = describe(child, { address, namespaces }, uiPort, located.version);
      if (isKept) await prepare(server, located.program, options);
      await makeEndpoint(server, ENDPOINT);
      return server;
    }
    const ended = child.exitCode ?? child.signalCode ?? child.pid === undefined;
    await stopChild(child, { signal: 'SIGKILL' });
    signal?.throwIfAborted();
    failure = `${ended === null ? 'not ready in time' : `ended with ${String(ended)}`}: ${await tail()}`;
    // A port that was asked for is not tried again; a free one may have been taken meanwhile.
    if (options.port || options.uiPort) break;
    if (!/address already in use|port .* in use/i.test(failure)) break;
    await sleep(200 * attempt, undefined, signal === undefined ? {} : { signal });
  }
  throw new Error(`the Temporal server did not start: ${failure}`);
}

/** A server that lacks what it is started with ends again. */
async function prepare(server: TemporalServer, program: string, options: TemporalOptions): Promise<void> {
  const { address } = server;
  const { signal, searchAttributes = {}, namespaces = ALL_NAMESPACES } = options;
  try {
    for (const namespace of namespaces)
      await registerMissingAttributes({ program, address, namespace, signal }, searchAttributes);
  } catch (error) {
    await server.stop();
    signal?.throwIfAborted();
    throw error;
  }
}

async function spawnLogged(
  program: string,
  args: string[],
  logFile: string | undefined,
): Promise<{ child: ChildProcess; tail: () => Promise<string> }> {
  // The server gets neither the stack's secrets nor TEMPORAL_* settings of the shell. It reads a configuration from its home.
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    TMPDIR: process.env['TMPDIR'] ?? '',
    ...RUNTIME,
  };
  if (logFile === undefined) {
    let text = '';
    const child = spawnGuarded(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, stop: STOP });
    child.on('error', (error) => (text += error.message));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-4_000)));
    return { child, tail: async () => text.trim() };
  }
  await mkdir(path.dirname(logFile), { recursive: true });
  await truncate(logFile).catch(() => undefined);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawnGuarded(program, args, { stdio: ['ignore', log, log], env, stop: STOP });
  child.on('error', () => undefined);
  closeSync(log);
  return { child, tail: async () => (await readFile(logFile, 'utf8').catch(() => '')).trim().slice(-2_000) };
}

async function answers(
  { address, namespaces }: Served,
  child: ChildProcess,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const until = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < until && signal?.aborted !== true) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
    // Lazy, because a connection that is refused or ignored while connecting could not be closed.
    const connection = Connection.lazy({ address });
    try {
      // One after the other: a call that is still repeated fails when its connection is closed.
      for (const namespace of namespaces)
        await connection.withDeadline(Date.now() + PROBE_MS, () =>
          connection.workflowService.describeNamespace({ namespace }),
        );
      return true;
    } catch {
      await sleep(100);
    } finally {
      await connection.close();
    }
  }
  return false;
}

function describe(
  child: ChildProcess,
  { address, namespaces }: Served,
  uiPort: number | undefined,
  version: string,
): TemporalServer {
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  return {
    address,
    namespace: namespaces[0],
    ui: uiPort === undefined ? null : `http://${HOST}:${uiPort}`,
    pid: child.pid ?? 0,
    version,
    exited,
    stop: () => stopChild(child, STOP),
  };
}
