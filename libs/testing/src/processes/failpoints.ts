import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The ids of the processes that died at a point. */
async function deaths(folder: string, point: string): Promise<readonly number[]> {
  const suffixes = (await readdir(folder)).map((name) =>
    name.startsWith(`${point}.`) ? name.slice(point.length + 1) : '',
  );
  return suffixes.filter((suffix) => /^\d+$/.test(suffix)).map(Number);
}

/**
 * Arms a point of the processes that run with `LAUNCH_FAILPOINTS=<folder>`: the first of them that reaches it is killed
 * there. No process has to be started again for it.
 */
export async function armFailpoint(folder: string, point: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const pid of await deaths(folder, point)) await rm(path.join(folder, `${point}.${pid}`));
  await writeFile(path.join(folder, point), '');
}

/** The process that took an armed point and dies of it, or undefined while none has reached it. */
export async function killedAt(folder: string, point: string): Promise<number | undefined> {
  return (await deaths(folder, point))[0];
}
