import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The signal that asks a child to stop, and the time until it is killed. */
export interface StopManner {
  /** The first signal; default SIGTERM. */
  signal?: NodeJS.Signals;
  /** Milliseconds between the first signal and SIGKILL; default 10,000. */
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
    // The reaper must not see the secrets in this environment, and needs no variable of it.
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
 * Guarantees that a child ends when this process does, for any kind of end. The child must lead its own process group
 * (`detached: true`), so that the processes that it started end too.
 */
export function guardChild(child: ChildProcess, manner: StopManner = {}): void {
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid, manner));
}

/**
 * Guards a process that another process started, the leader of its group. Returns a function to call once it has ended.
 */
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

/** Returns the ids of the processes that must not outlive this one. */
export const guardedProcesses = (): number[] => [...guarded.keys()];

/**
 * Wraps `child_process.spawn` for a child that must not outlive this process. The child leads its own process group: a
 * terminal's Ctrl-C reaches only the parent, which then stops its children in order.
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

/** Reports whether a process with this id exists and this process may signal it. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Signals a child's whole process group. Returns false if no process is left to signal. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return true;
    } catch {
      // No such group: the child may not lead one, so signal the process itself next.
    }
  }
  return false;
}

/** Asks a child to end, kills its group after the grace period, and resolves once it is gone. */
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
