/** Places where a test may let the process die; each is a gap between two durable steps. */
export type Failpoint = 'gateway.after-commit';

/**
 * Kills this process, as a power cut would, when the environment both allows failpoints and names this one.
 * Without `LAUNCH_ALLOW_FAILPOINTS=1` the variable `FAILPOINT` is not even read.
 */
export function failpoint(name: Failpoint, env: NodeJS.ProcessEnv = process.env): void {
  if (env['LAUNCH_ALLOW_FAILPOINTS'] !== '1' || env['FAILPOINT'] !== name) return;
  process.kill(process.pid, 'SIGKILL');
}
