import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';

/**
 * Kills this process, as a power cut would, at a named gap between two durable steps. For crash tests: does nothing
 * unless `LAUNCH_FAILPOINTS` names a folder. A file in that folder with the point's name arms it. The first process
 * that reaches the point renames the file to `<point>.<its process id>` and dies, so the point fires once across
 * restarts.
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
    // Another process of the service fired first.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
