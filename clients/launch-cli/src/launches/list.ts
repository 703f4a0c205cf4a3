import { listCustomLaunches } from '@launch/api-client';
import type { JsonValue } from '@launch/contracts/json';
import { plain } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT } from '../launch.error.js';
import { ask, closedGates, openService } from '../service.js';

/** `launch list`: reads one page of the key's launches, newest first. */
export async function list({ limit, cursor }: Options, world: World): Promise<Outcome> {
  const service = openService(world, () => readApiKey(world.environment));
  await closedGates(service);
  const query = {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const { status, value } = await ask(service, listCustomLaunches, { query });
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
