import { listCustomLaunches } from '@launch/api-client';
import { CUSTOM_LAUNCH_LIST_MEMBERS } from '@launch/client-core/binding';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { ask, closedGates, openService, patienceOf, requireBound } from '../service.js';
import { listOutcome, readPages } from './pages.js';

/** Launches of a page without `--limit`. */
const DEFAULT_LIMIT = 10;

/** `launch list`: reads the key's launches, newest first. */
export async function list(options: Options, world: World): Promise<Outcome> {
  const service = openService(world, () => readApiKey(world.environment));
  const patient = patienceOf(options, world);
  await closedGates(service, patient);
  const page = await readPages(options, async (query) => {
    const answer = await ask(service, listCustomLaunches, { query }, patient);
    requireBound(CUSTOM_LAUNCH_LIST_MEMBERS, answer, { limit: DEFAULT_LIMIT, ...query });
    return { httpStatus: answer.status, ...answer.value };
  });
  const rows = page.items.map(({ createdAt, launchId, status, launchWallet }) => [
    createdAt,
    launchId,
    status,
    launchWallet,
  ]);
  return listOutcome(page, ['created', 'launch', 'status', 'wallet'], rows);
}
