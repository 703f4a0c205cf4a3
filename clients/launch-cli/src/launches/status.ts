import { existsSync } from 'node:fs';
import { getCustomLaunch } from '@launch/api-client';
import { canonicalizeJson, type JsonValue } from '@launch/contracts/json';
import { writeNewFile } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { ask, closedGates, openService, pause } from '../service.js';
import { launchText, progressLine, type Launch } from './launch-text.js';

type Status = Launch['status'];

/** Milliseconds between two polls of a watch. */
export const WATCH_MS = 3_000;
/** Statuses that satisfy each goal. A valid or signed hand-off is authorized. */
const MEETS: Readonly<Record<'authorized' | 'finalized', readonly Status[]>> = {
  authorized: [
    'authorized',
    'awaiting_wallet_signature',
    'wallet_action_required',
    'submitted',
    'sequencer_soft_confirmed',
    'ethereum_posted',
    'finalized',
  ],
  finalized: ['finalized'],
};
const ENDS: readonly Status[] = ['action_required', 'failed', 'finalized'];

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
  const patient = options['retry'] === undefined ? null : world;
  await closedGates(service, patient);
  const meets = isWatched ? MEETS[(until ?? 'finalized') as keyof typeof MEETS] : null;

  let printed: string | undefined;
  for (;;) {
    const answer = await ask(service, getCustomLaunch, { path: { launchId: launchId! } }, patient);
    const launch = answer.value;
    const isMet = meets === null || meets.includes(launch.status);
    if (isMet || ENDS.includes(launch.status)) {
      if (output !== undefined) keepHandoff(launch, output);
      return {
        exitCode: isMet ? EXIT.done : EXIT.refused,
        httpStatus: answer.status,
        resource: launch as unknown as JsonValue,
        text: launchText(launch, Date.now()),
      };
    }
    const line = progressLine(launch, Date.now());
    if (line !== printed) world.progress(line);
    printed = line;
    await pause(world.watchMs ?? WATCH_MS, world);
  }
}

/** Writes the hand-off as canonical JSON, which the controller checks before it signs. */
function keepHandoff({ handoff, status: reached }: Launch, output: string): void {
  if (handoff === null)
    throw new LaunchError('LAUNCH_CLI_HANDOFF_ABSENT', `no hand-off to keep: the launch is ${reached}`);
  writeNewFile(output, '--output', canonicalizeJson(handoff));
}
