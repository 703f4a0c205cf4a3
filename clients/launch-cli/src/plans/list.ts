import { listPlans } from '@launch/api-client';
import { PLAN_LIST_MEMBERS } from '@launch/client-core/binding';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { LaunchError } from '../launch.error.js';
import { listOutcome, readPages } from '../launches/pages.js';
import { ask, closedGates, openService, patienceOf, requireBound } from '../service.js';
import { CHAIN, requireVersion, VERSION } from './plan.js';

/** Plans of a page without `--limit`. */
const DEFAULT_LIMIT = 25;

/** `launch plan list`: reads the key's plans, newest first. */
export async function list(options: Options, world: World): Promise<Outcome> {
  const service = openService(world, () => readApiKey(world.environment));
  const patient = patienceOf(options, world);
  await closedGates(service, patient);
  const page = await readPages(options, async (query) => {
    const answer = await ask(service, listPlans, { path: CHAIN, header: VERSION, query }, patient);
    requireVersion(answer);
    const { status, value } = answer;
    if (value.schemaVersion !== 'service.custom-launch-plan-list.v1.2')
      throw new LaunchError('LAUNCH_CLI_ANSWER_MISMATCH', 'the list has another version than the request named', {
        httpStatus: status,
        findings: [{ path: '/schemaVersion', message: 'differs from the value that the request determines' }],
      });
    requireBound(PLAN_LIST_MEMBERS, { status, value }, { limit: DEFAULT_LIMIT, ...query });
    return { httpStatus: status, ...value };
  });
  const rows = page.items.map(({ createdAt, planId, status, progress, launchWallet }) => [
    createdAt,
    planId,
    status,
    `${progress.completedSteps} of ${progress.totalSteps}`,
    launchWallet,
  ]);
  return listOutcome(page, ['created', 'plan', 'status', 'finalized steps', 'wallet'], rows);
}
