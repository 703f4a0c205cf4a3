import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Returns the ids of the processes that died at a point. */
async function deaths(folder: string, point: string): Promise<readonly number[]> {
  const suffixes = (await readdir(folder)).map((name) =>
    name.startsWith(`${point}.`) ? name.slice(point.length + 1) : '',
  );
  return suffixes.filter((suffix) => /^\d+$/.test(suffix)).map(Number);
}

/**
 * Arms a point of the processes that run with `LAUNCH_FAILPOINTS=<folder>`: the first one that reaches it is killed
 * there. Running processes need no restart.
 */
export async function armFailpoint(folder: string, point: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const pid of await deaths(folder, point)) await rm(path.join(folder, `${point}.${pid}`));
  await writeFile(path.join(folder, point), '');
}

/** Returns the process that fired an armed point and dies, or undefined while none has reached it. */
export async function killedAt(folder: string, point: string): Promise<number | undefined> {
  return (await deaths(folder, point))[0];
}
