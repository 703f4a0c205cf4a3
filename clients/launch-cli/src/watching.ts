import type { Options, World } from './command.js';
import { LaunchError } from './launch.error.js';
import { pause, WATCH_MS } from './service.js';

/** Seconds of the longest outage without `--wait-max`, as help names it. */
const WAIT_MAX_SECONDS = 300;
/** The longest pause between two attempts during an outage. */
const LONGEST_PAUSE_MS = 30_000;

/** Returns `--wait-max` in milliseconds. @throws {LaunchError} `LAUNCH_CLI_ARGUMENTS_INVALID` without `--watch` */
export function readWaitMax({ 'wait-max': seconds, watch }: Options): number {
  if (seconds !== undefined && watch === undefined)
    throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--wait-max needs --watch');
  return Number(seconds ?? WAIT_MAX_SECONDS) * 1_000;
}

/** Returns whether a read may succeed later although nothing about the request changes. */
const mayPass = ({ code, detail }: LaunchError): boolean =>
  code === 'LAUNCH_CLI_SERVICE_UNREACHABLE' ||
  code === 'LAUNCH_CLI_SERVICE_UNAVAILABLE' ||
  (code === 'LAUNCH_CLI_REFUSED' && (detail.httpStatus === 429 || detail.refusal?.retryable === true));

/**
 * Reads once through an outage: after a failure that may pass it reads again, later each time and never before `Retry-After`,
 * until an answer comes. Reports the beginning and the end of the outage.
 * @param waitMaxMs the longest outage
 * @throws {LaunchError} the last failure of a longer outage, and every failure that does not pass.
 */
export async function readThrough<T>(read: () => Promise<T>, waitMaxMs: number, world: World): Promise<T> {
  let begun: number | null = null;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await read();
      if (begun !== null) world.progress('the service answers again');
      return answer;
    } catch (error) {
      if (!(error instanceof LaunchError) || !mayPass(error)) throw error;
      begun ??= performance.now();
      const left = begun + waitMaxMs - performance.now();
      const asked = (error.detail.retryAfterSeconds ?? 0) * 1_000;
      if (left <= 0 || asked > left) throw error;
      if (attempt === 0) world.progress(`${error.message}; reading again for ${Math.ceil(left / 1_000)} s`);
      const backoff = Math.min((world.watchMs ?? WATCH_MS) * 2 ** attempt, LONGEST_PAUSE_MS);
      await pause(Math.min(left, Math.max(asked, backoff)), world);
    }
  }
}
