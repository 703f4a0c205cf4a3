import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isProcessAlive, signalGroup } from './child-guard.js';

const run = promisify(execFile);
const GRACE_MS = 5_000;

/** Returns the command line of a process, or undefined if it cannot be read. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    // No /proc on this system, or no such process: ask ps.
  }
  try {
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.trim();
  } catch {
    return undefined;
  }
}

/** Records a child, so that a later start can find it if it is left behind. */
export async function recordProcess(pidFile: string, pid: number): Promise<void> {
  await writeFile(pidFile, `${pid}\n`, { mode: 0o600 });
}

/**
 * Ends the process that an earlier run recorded, if it still runs. Its command line must contain `mark`, because
 * another process may have its id by now. Returns whether there was one.
 */
export async function endLeftover(pidFile: string, mark: string): Promise<boolean> {
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).trim());
  const found =
    Number.isSafeInteger(pid) && pid > 1 && isProcessAlive(pid) && ((await commandLineOf(pid)) ?? '').includes(mark);
  if (found) {
    signalGroup(pid, 'SIGTERM');
    for (const until = Date.now() + GRACE_MS; isProcessAlive(pid) && Date.now() < until;) await sleep(50);
    if (isProcessAlive(pid)) signalGroup(pid, 'SIGKILL');
    while (isProcessAlive(pid)) await sleep(20);
  }
  await rm(pidFile, { force: true });
  return found;
}
