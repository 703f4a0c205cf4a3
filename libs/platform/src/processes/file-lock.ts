import { mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from './child-guard.js';

const POLL_MS = 100;

/**
 * Runs `work` while no other process holds the lock file. A dead holder does not count.
 * @throws the signal's reason if it is aborted while waiting.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  while (!(await take(file))) await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal });
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  // An empty file belongs to a holder that is about to write its id.
  if (Number.isSafeInteger(holder) && holder > 0 && !isProcessAlive(holder)) await rm(file, { force: true });
  return false;
}
