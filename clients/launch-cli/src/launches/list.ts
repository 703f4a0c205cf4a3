import { listCustomLaunches } from '@launch/api-client';
import { CUSTOM_LAUNCH_LIST_MEMBERS } from '@launch/client-core/binding';
import type { JsonValue } from '@launch/contracts/json';
import { plain } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT } from '../launch.error.js';
import { ask, closedGates, openService, requireBound } from '../service.js';

/** Launches of a page without `--limit`. */
const DEFAULT_LIMIT = 10;

/** `launch list`: reads one page of the key's launches, newest first. */
export async function list({ limit, cursor }: Options, world: World): Promise<Outcome> {
  const service = openService(world, () => readApiKey(world.environment));
  await closedGates(service);
  const query = {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const answer = await ask(service, listCustomLaunches, { query });
  requireBound(CUSTOM_LAUNCH_LIST_MEMBERS, answer, { limit: query.limit ?? DEFAULT_LIMIT, cursor });
  const { status, value } = answer;
  const lines = value.items.map(
    ({ launchId, status: reached, createdAt }) => `${createdAt}  ${launchId}  ${reached}\n`,
  );
  return {
    exitCode: EXIT.done,
    httpStatus: status,
    resource: value as unknown as JsonValue,
    text: `${lines.join('') || 'no launches\n'}${value.nextCursor === null ? '' : `more: --cursor ${plain(value.nextCursor)}\n`}`,
  };
}
