import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isProcessAlive, signalGroup } from './child-guard.js';

const run = promisify(execFile);
const GRACE_MS = 5_000;

/** The command line of a process; undefined when there is none to read. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    // No /proc on this system, or no such process: ps tells.
  }
  try {
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.trim();
  } catch {
    return undefined;
  }
}

/** Notes a child that a later start has to find should it be left behind all the same. */
export async function recordProcess(pidFile: string, pid: number): Promise<void> {
  await writeFile(pidFile, `${pid}\n`, { mode: 0o600 });
}

/**
 * Ends what an earlier run left behind: the recorded process, if it still runs. Its command line must hold `mark`,
 * since its process id may long belong to someone else. Returns whether there was one.
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
