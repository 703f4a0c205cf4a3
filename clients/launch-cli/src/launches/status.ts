import { existsSync } from 'node:fs';
import { getCustomLaunch } from '@launch/api-client';
import { CUSTOM_LAUNCH_MEMBERS } from '@launch/client-core/binding';
import { hasLaunchEnded, isLaunchAt, type LaunchGoal } from '@launch/client-core/progress';
import { canonicalizeJson, type JsonValue } from '@launch/contracts/json';
import { writeNewFile } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { savedLaunch } from '../pack/saved-request.js';
import { ask, closedGates, openService, patienceOf, pause, requireBound, WATCH_MS } from '../service.js';
import { readThrough, readWaitMax } from '../watching.js';
import { launchText, progressLine, progressOf, type Launch } from './launch-text.js';

/**
 * `launch status`: reads one launch, once or until it reaches the goal. If the launch ends before the goal, the command is
 * refused.
 */
export async function status(options: Options, world: World): Promise<Outcome> {
  const { launchId, until, output } = options;
  const isWatched = options['watch'] !== undefined;
  if (until !== undefined && !isWatched) throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--until needs --watch');
  if (output !== undefined && existsSync(output))
    throw new LaunchError('LAUNCH_CLI_FILE_FAILED', '--output exists already; files are never overwritten');
  const service = openService(world, () => readApiKey(world.environment));
  const patient = patienceOf(options, world);
  const waitMaxMs = readWaitMax(options);
  const read = <T>(once: () => Promise<T>): Promise<T> => (isWatched ? readThrough(once, waitMaxMs, world) : once());
  const request = await read(() => savedLaunch(options, world));
  await read(() => closedGates(service, patient));
  const goal = isWatched ? ((until ?? 'finalized') as LaunchGoal) : null;

  let printed: string | undefined;
  for (;;) {
    const answer = await read(() => ask(service, getCustomLaunch, { path: { launchId: launchId! } }, patient));
    requireBound(CUSTOM_LAUNCH_MEMBERS, answer, { id: launchId!, request });
    const launch = answer.value;
    const isMet = goal === null || isLaunchAt(goal, launch.status);
    if (isMet || hasLaunchEnded(launch.status)) {
      if (output !== undefined) keepHandoff(launch, output);
      return {
        exitCode: isMet ? EXIT.done : EXIT.refused,
        httpStatus: answer.status,
        resource: launch as unknown as JsonValue,
        text: launchText(launch, Date.now(), { request }),
      };
    }
    const progress = progressOf(launch);
    if (progress !== printed) world.progress(progressLine(launch, Date.now()));
    printed = progress;
    await pause(world.watchMs ?? WATCH_MS, world);
  }
}

/** Writes the hand-off as canonical JSON, which the controller checks before it signs. */
function keepHandoff({ handoff, status: reached }: Launch, output: string): void {
  if (handoff === null)
    throw new LaunchError('LAUNCH_CLI_HANDOFF_ABSENT', `no hand-off to keep: the launch is ${reached}`);
  writeNewFile(output, '--output', canonicalizeJson(handoff));
}
