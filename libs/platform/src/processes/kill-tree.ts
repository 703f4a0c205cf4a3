import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { guardedProcesses } from './child-guard.js';

const run = promisify(execFile);
const POLL_MS = 20;
const ENDED = 'Z';

/** Every process with its parent, by the system's own table; one that has ended and waits to be noticed is none any more. */
async function processTable(): Promise<Map<number, number>> {
  const parents = new Map<number, number>();
  const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (numbers.length > 0) {
    // `pid (command) state ppid …`; a command may hold anything, a bracket too.
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

/** The processes that these have started, and those that those have, whatever groups they lead. */
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
    // It ended by itself a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills a process and all below it. Seen together: what loses its parent first would not be found any more. */
export async function killTree(pid: number): Promise<void> {
  for (const one of [...(await descendantsOf([pid])), pid]) kill(one);
}

/** Kills everything that this process has started or guards, and resolves when nothing of it is left. */
export async function killAll(): Promise<void> {
  // A process that lost its parent is found no more, and takes a moment to end all the same.
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
