import { createPlan } from '@launch/api-client';
import { PLAN_MEMBERS } from '@launch/client-core/binding';
import type { JsonValue } from '@launch/contracts/json';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT } from '../launch.error.js';
import { chosenKey } from '../launches/submit.js';
import { repackPlan } from '../pack/packing.js';
import { ask, isReplay, openService, patienceOf, requireOpenGates } from '../service.js';
import { repeatOf, Submission } from '../submission.js';
import { CHAIN, planOf, planText, VERSION } from './plan.js';

/** `launch plan submit`: reserves a plan, or reads the one that these bytes reserved under this key. */
export async function submit(options: Options, world: World): Promise<Outcome> {
  const chosen = chosenKey(options);
  const { bytes, idempotencyKey, sent } = await repackPlan(options, world);
  const patient = patienceOf(options, world);
  const service = openService(world, () => readApiKey(world.environment));
  await requireOpenGates(service, patient);
  const key = chosen ?? idempotencyKey;
  const submission = new Submission(repeatOf('plan submit', options, key));
  world.submitting(submission);
  const input = { path: CHAIN, header: { ...VERSION, 'Idempotency-Key': key }, body: bytes };
  const answer = await ask(service, createPlan, input, patient, submission);
  const plan = planOf(answer, PLAN_MEMBERS, { request: sent });
  const replayed = isReplay(answer);
  return {
    exitCode: EXIT.done,
    httpStatus: answer.status,
    replayed,
    resource: plan as unknown as JsonValue,
    text: planText(plan, Date.now(), { replayed, request: sent }),
  };
}
