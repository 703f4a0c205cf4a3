import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commandLineOf, isProcessAlive, withFileLock } from '@launch/platform/processes';

export const DAEMON_FILE = 'daemon.json';

const START_TIMEOUT_MS = 120_000;

interface DaemonAddress {
  port: number;
  pid: number;
}

/** Returns the process that ends with the test run: Jest, if this process is its worker, otherwise this process. */
async function ownerPid(): Promise<number> {
  const isWorker = ((await commandLineOf(process.pid)) ?? '').includes('jest-worker');
  return isWorker ? process.ppid : process.pid;
}

/** A process with the shared servers of a test run: the first request starts it, and it ends with the run. */
export interface RunDaemon {
  /** The name of its folder and, in errors, of the daemon. */
  readonly name: string;
  /**
   * A TypeScript source. Its arguments are its folder and the process that ends with the run; it writes its address to
   * `daemon.json`.
   */
  readonly script: string;
}

const TEST_SERVERS: RunDaemon = {
  name: 'test',
  script: fileURLToPath(new URL('./test-servers.daemon.ts', import.meta.url)).replace(
    `${path.sep}dist${path.sep}`,
    `${path.sep}src${path.sep}`,
  ),
};

/** Sends a request to a daemon of the run, by default its test servers, and starts the daemon if none runs. */
export async function askDaemon<T = Record<string, string>>(request: string, daemon = TEST_SERVERS): Promise<T> {
  const stateDir = path.join(tmpdir(), `launch-${daemon.name}-${process.getuid?.() ?? 0}-${await ownerPid()}`);
  const { port } = (await runningDaemon(stateDir)) ?? (await startDaemon(stateDir, daemon));
  const response = await fetch(`http://127.0.0.1:${port}${request}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`the run's ${daemon.name} daemon: ${text}`);
  return JSON.parse(text) as T;
}

async function runningDaemon(stateDir: string): Promise<DaemonAddress | undefined> {
  const text = await readFile(path.join(stateDir, DAEMON_FILE), 'utf8').catch(() => '');
  if (text === '') return undefined;
  const address = JSON.parse(text) as DaemonAddress;
  return isProcessAlive(address.pid) ? address : undefined;
}

async function startDaemon(stateDir: string, { name, script }: RunDaemon): Promise<DaemonAddress> {
  const owner = await ownerPid();
  return withFileLock(`${stateDir}.lock`, async () => {
    const running = await runningDaemon(stateDir);
    if (running !== undefined) return running;
    await rm(stateDir, { recursive: true, force: true });
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const logFile = path.join(stateDir, 'daemon.log');
    const log = openSync(logFile, 'a', 0o600);
    const sourceHooks = fileURLToPath(new URL('../../../../tools/source-hooks.mjs', import.meta.url));
    const daemon = spawn(
      process.execPath,
      ['--no-warnings', '--conditions=@launch/source', '--import', sourceHooks, script, stateDir, String(owner)],
      {
        detached: true,
        stdio: ['ignore', log, log],
        env: { ...process.env, NODE_OPTIONS: '' },
      },
    );
    closeSync(log);
    daemon.unref();
    for (const until = Date.now() + START_TIMEOUT_MS; Date.now() < until && daemon.exitCode === null; await sleep(20)) {
      const started = await runningDaemon(stateDir);
      if (started !== undefined) return started;
    }
    throw new Error(`the run's ${name} daemon did not start: ${await readFile(logFile, 'utf8').catch(() => '')}`);
  });
}
