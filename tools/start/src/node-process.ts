import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endLeftover, killTree, orAborted, recordProcess, spawnGuarded, stopChild } from '@launch/platform/processes';
import { LogFile } from './log-file.js';
import { programBundles } from './program-bundles.js';
import type { Running } from './supervisor.js';

export interface NodeProcessOptions {
  name: string;
  /** Path of the program as the build leaves it, below the repository's root. */
  program: string;
  /** Folder of the bundled programs, see `programBundles`. */
  programs: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  logFile: string;
  pidFile: string;
  readyTimeoutMs: number;
  stopGraceMs: number;
  /** Gives up a start that is under way. */
  signal: AbortSignal;
}

export interface NodeProcess extends Running {
  /** The line that said it is ready. */
  ready: Record<string, unknown>;
}

/**
 * A stack has many processes and few cores. V8 compacts the memory of a process that rests, which a burst undoes a moment later,
 * and its four helping threads only wake each other where there is no core for them.
 */
const FLAGS = ['--no-memory-reducer', '--v8-pool-size=1'];
const KEPT_LINES = 20;
/** A process that is not ready yet may be killed: it has nothing to put away. */
const GIVEN_UP_GRACE_MS = 2_000;

/**
 * Starts a Node program of ours and waits for the line by which `isReady` knows that it works. It first ends what an
 * earlier run left of it. Its output goes to its log file.
 * @throws Error with its last lines when it ends before, or is not ready in time; the signal's reason when it is given up.
 */
export async function startNodeProcess(
  options: NodeProcessOptions,
  isReady: (line: Record<string, unknown>) => boolean,
): Promise<NodeProcess> {
  await endLeftover(options.pidFile, options.program);
  options.signal.throwIfAborted();
  // A stack may run for longer than its bundles are kept.
  const programs = existsSync(options.programs) ? options.programs : await programBundles(options.cwd);
  const child = spawnGuarded(process.execPath, [...FLAGS, path.join(programs, options.program), ...options.args], {
    cwd: options.cwd,
    // The next start reads the code that this start compiles. The cache is removed with the bundles.
    env: { NODE_COMPILE_CACHE: path.join(programs, 'compiled'), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    stop: { graceMs: options.stopGraceMs },
  });
  const log = new LogFile(options.logFile);
  const recent: string[] = [];
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => {
      log.close();
      resolve();
    });
  });
  const ready = new Promise<Record<string, unknown>>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        log.write(line);
        recent.push(line);
        if (recent.length > KEPT_LINES) recent.shift();
        const parsed = parseLine(line);
        if (parsed !== undefined && isReady(parsed)) resolve(parsed);
      });
    }
  });
  // Only now: a program may end, and say why, while its file is written.
  if (child.pid !== undefined) await recordProcess(options.pidFile, child.pid);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>(
    (resolve) => (timer = setTimeout(() => resolve(undefined), options.readyTimeoutMs)),
  );
  const first = await orAborted(Promise.race([ready, exited.then(() => undefined), timeout]), options.signal)
    .catch(async (reason: unknown) => {
      await giveUp(child);
      throw reason;
    })
    .finally(() => clearTimeout(timer));
  if (first === undefined) {
    const how = child.exitCode ?? child.signalCode;
    await stopChild(child, { signal: 'SIGKILL' });
    throw new Error(
      `${options.name} ${how === null ? 'was not ready in time' : `ended with ${how}`}; see ${options.logFile}\n${recent.map((line) => `    ${line.slice(0, 500)}`).join('\n')}`,
    );
  }
  return { pid: child.pid ?? 0, ready: first, exited, stop: () => stopChild(child, { graceMs: options.stopGraceMs }) };
}

/** Asks a child that is still starting to end; one that does not listen goes with all that it started. */
async function giveUp(child: ChildProcess): Promise<void> {
  const { pid } = child;
  const timer = pid === undefined ? undefined : setTimeout(() => void killTree(pid), GIVEN_UP_GRACE_MS);
  await stopChild(child, { graceMs: 2 * GIVEN_UP_GRACE_MS });
  clearTimeout(timer);
}

function parseLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    // Text that happens to begin with a brace.
    return undefined;
  }
}
