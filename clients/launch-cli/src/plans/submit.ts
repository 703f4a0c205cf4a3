import { createPlan } from '@launch/api-client';
import type { JsonValue } from '@launch/contracts/json';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT } from '../launch.error.js';
import { chosenKey } from '../launches/submit.js';
import { repackPlan } from '../pack/packing.js';
import { ask, openService, requireOpenGates } from '../service.js';
import { CHAIN, planOf, planText, VERSION } from './plan.js';

/** `launch plan submit`: reserves a plan, or reads the one that these bytes reserved under this key. */
export async function submit(options: Options, world: World): Promise<Outcome> {
  const chosen = chosenKey(options);
  const { bytes, report } = await repackPlan(options, world);
  const patient = options['retry'] === undefined ? null : world;
  const service = openService(world, () => readApiKey(world.environment));
  await requireOpenGates(service, patient);
  const header = { ...VERSION, 'Idempotency-Key': chosen ?? report.idempotencyKey };
  const answer = await ask(service, createPlan, { path: CHAIN, header, body: new Uint8Array(bytes) }, patient);
  const plan = planOf(answer.value);
  return {
    exitCode: EXIT.done,
    httpStatus: answer.status,
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    resource: plan as unknown as JsonValue,
    text: planText(plan, Date.now()),
  };
}
