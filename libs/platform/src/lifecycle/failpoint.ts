import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';

/**
 * Kills this process as a power cut would, at a named gap between two durable steps. For crash tests: nothing is looked
 * at unless `LAUNCH_FAILPOINTS` names a folder. A file there with the point's name arms it. Whoever reaches the point
 * first takes the file away, as `<point>.<its process id>`, and dies: it fires once, however often a process is started.
 * @param delayMs Lets the step begin first, for points in the middle of a long one.
 */
export function failpoint(name: string, delayMs = 0, env: NodeJS.ProcessEnv = process.env): void {
  const folder = env['LAUNCH_FAILPOINTS'];
  if (folder === undefined || folder === '' || !isTaken(path.join(folder, name))) return;
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  if (delayMs === 0) die();
  else setTimeout(die, delayMs);
}

function isTaken(armed: string): boolean {
  if (!existsSync(armed)) return false;
  try {
    renameSync(armed, `${armed}.${process.pid}`);
    return true;
  } catch (error) {
    // Another process of the service was there first.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
