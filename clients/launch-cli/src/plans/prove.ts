import { createHash } from 'node:crypto';
import { nameStepTransaction } from '@launch/api-client';
import { PROVED_PLAN_MEMBERS } from '@launch/client-core/binding';
import { canonicalizeJson, type JsonValue } from '@launch/contracts/json';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { chosenKey } from '../launches/submit.js';
import { ask, closedGates, openService, patienceOf } from '../service.js';
import { CHAIN, planOf, planText, VERSION } from './plan.js';

const HASH = /^0x[0-9a-f]{64}$/;

/**
 * `launch plan prove`: names the transaction of a step. It is a hint for the finality worker; the plan continues without it.
 */
export async function prove(options: Options, world: World): Promise<Outcome> {
  const { planId, step, transaction } = options;
  if (!HASH.test(transaction!))
    throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--transaction is 0x and 64 lowercase hex digits');
  const named = createHash('sha256').update(`${planId}/${step}/${transaction}`).digest('hex');
  const header = { ...VERSION, 'Idempotency-Key': chosenKey(options) ?? `plan-v1-${named}` };
  const body = new Uint8Array(
    canonicalizeJson({ schemaVersion: 'service.custom-launch-plan-step-proof.v1', transactionHash: transaction! }),
  );
  const patient = patienceOf(options, world);
  const service = openService(world, () => readApiKey(world.environment));
  await closedGates(service, patient);
  const path = { ...CHAIN, planId: planId!, stepId: step! };
  const answer = await ask(service, nameStepTransaction, { path, header, body }, patient);
  const proof = { planId: planId!, stepId: step!, transactionHash: transaction! };
  const plan = planOf(answer, PROVED_PLAN_MEMBERS, proof);
  return {
    exitCode: EXIT.done,
    httpStatus: answer.status,
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    resource: plan as unknown as JsonValue,
    text: planText(plan, Date.now()),
  };
}
