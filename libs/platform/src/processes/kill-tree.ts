import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { guardedProcesses } from './child-guard.js';

const run = promisify(execFile);
const POLL_MS = 20;
const ENDED = 'Z';

/** Reads every process with its parent from the system's own table. Omits zombies. */
async function processTable(): Promise<Map<number, number>> {
  const parents = new Map<number, number>();
  const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (numbers.length > 0) {
    // `pid (command) state ppid …`; a command may contain any character, even a parenthesis.
    const readings = numbers.map(
      async (pid) =>
        [Number(pid), (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\)/s, '').trim().split(' ')] as const,
    );
    for (const one of await Promise.allSettled(readings)) {
      if (one.status === 'rejected') continue;
      const [pid, [state, parent]] = one.value;
      if (state !== ENDED) parents.set(pid, Number(parent));
    }
    return parents;
  }
  const listing = run('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  for (const line of (await listing).stdout.trim().split('\n')) {
    const [pid, parent, state] = line.trim().split(/\s+/);
    if (Number(pid) !== listing.child.pid && state?.startsWith(ENDED) === false)
      parents.set(Number(pid), Number(parent));
  }
  return parents;
}

/** Returns all descendants of these processes, in any process group. */
export async function descendantsOf(roots: readonly number[]): Promise<number[]> {
  return below(roots, await processTable());
}

function below(roots: readonly number[], parents: ReadonlyMap<number, number>): number[] {
  const found = new Set(roots);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found].filter((pid) => !roots.includes(pid));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills a process and all of its descendants. Lists them first: an orphan could no longer be found. */
export async function killTree(pid: number): Promise<void> {
  for (const one of [...(await descendantsOf([pid])), pid]) kill(one);
}

/** Kills everything that this process has started or guards, and resolves once all of it is gone. */
export async function killAll(): Promise<void> {
  // An orphan can no longer be found, but takes a moment to end.
  const marked = new Set<number>();
  for (;;) {
    const table = await processTable();
    const guarded = guardedProcesses();
    for (const pid of [...guarded, ...below([process.pid, ...guarded], table)]) marked.add(pid);
    const left = [...marked].filter((pid) => table.has(pid));
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
    await sleep(POLL_MS);
  }
}
