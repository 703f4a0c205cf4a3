import { writeFileSync } from 'node:fs';

/**
 * Kills this process as a power cut would, at a named gap between two durable steps.
 * For crash tests: nothing is read unless `LAUNCH_ALLOW_FAILPOINTS=1`. `LAUNCH_FAILPOINT`
 * names the point; with `LAUNCH_FAILPOINT_MARKER` (a file that must not exist yet) it
 * fires once, however often the process is started again.
 * @param delayMs Lets the step begin first, for points in the middle of a long one.
 */
export function failpoint(name: string, delayMs = 0, env: NodeJS.ProcessEnv = process.env): void {
  if (env['LAUNCH_ALLOW_FAILPOINTS'] !== '1' || env['LAUNCH_FAILPOINT'] !== name) return;
  const marker = env['LAUNCH_FAILPOINT_MARKER'];
  if (marker !== undefined) {
    try {
      writeFileSync(marker, name, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      throw error;
    }
  }
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  if (delayMs === 0) die();
  else setTimeout(die, delayMs);
}
