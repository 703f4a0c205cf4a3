import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** How a child is asked to end, and how long it may take before it is killed. */
export interface StopManner {
  /** Asked for first; default SIGTERM. */
  signal?: NodeJS.Signals;
  /** Milliseconds between the request and SIGKILL; default 10,000. */
  graceMs?: number;
}

const DEFAULT_SIGNAL: NodeJS.Signals = 'SIGTERM';
const DEFAULT_GRACE_MS = 10_000;

const guarded = new Map<number, Required<StopManner>>();
let reaperInput: Writable | undefined;

function openReaper(): Writable {
  const script = fileURLToPath(new URL('../../scripts/child-reaper.mjs', import.meta.url));
  const reaper = spawn(process.execPath, [script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // It must see nothing of the secrets in our environment, and needs nothing of it.
    env: {},
  });
  const input = reaper.stdin;
  input.on('error', () => undefined);
  reaper.once('exit', () => {
    if (reaperInput !== input) return;
    reaperInput = undefined;
    if (guarded.size > 0) reaperInput = openReaper();
  });
  reaper.unref();
  (input as Writable & { unref?: () => void }).unref?.();
  for (const [pid, manner] of guarded) input.write(`add ${pid} ${manner.signal} ${manner.graceMs}\n`);
  return input;
}

/**
 * Makes sure that a child ends when this process does, however this process ends.
 * The child must lead its own process group (`detached: true`), so that what it started goes with it.
 */
export function guardChild(child: ChildProcess, manner: StopManner = {}): void {
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid, manner));
}

/** The same for a process that another started, the leader of its group. Returns what to call when it has ended. */
export function guardProcess(pid: number, manner: StopManner = {}): () => void {
  const full = { signal: manner.signal ?? DEFAULT_SIGNAL, graceMs: manner.graceMs ?? DEFAULT_GRACE_MS };
  guarded.set(pid, full);
  if (reaperInput === undefined) reaperInput = openReaper();
  else reaperInput.write(`add ${pid} ${full.signal} ${full.graceMs}\n`);
  return () => {
    guarded.delete(pid);
    reaperInput?.write(`remove ${pid}\n`);
  };
}

/** Ids of the processes that must not outlive this one. */
export const guardedProcesses = (): number[] => [...guarded.keys()];

/**
 * `child_process.spawn` for a child that must not outlive this process. The child leads its own process
 * group: a terminal's Ctrl-C reaches the parent alone, which then stops its children in order.
 */
export function spawnGuarded(
  command: string,
  args: readonly string[],
  options: Omit<SpawnOptions, 'detached'> & { stop?: StopManner } = {},
): ChildProcess {
  const { stop, ...spawnOptions } = options;
  const child = spawn(command, [...args], { ...spawnOptions, detached: true });
  guardChild(child, stop);
  return child;
}

/** True while a process with this id exists and is ours to signal. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Signals a child's whole process group; false when there is nothing left to signal. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return true;
    } catch {
      // No such group: the child may not lead one, so the process itself is tried next.
    }
  }
  return false;
}

/** Asks a child to end, kills its group when the grace has passed, and resolves once it is gone. */
export async function stopChild(child: ChildProcess, manner: StopManner = {}): Promise<void> {
  const pid = child.pid;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(manner.signal ?? DEFAULT_SIGNAL);
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), manner.graceMs ?? DEFAULT_GRACE_MS);
  try {
    await gone;
  } finally {
    clearTimeout(timer);
  }
}
