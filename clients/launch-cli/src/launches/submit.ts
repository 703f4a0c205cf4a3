import { createCustomLaunch } from '@launch/api-client';
import { CUSTOM_LAUNCH_MEMBERS } from '@launch/client-core/binding';
import type { JsonValue } from '@launch/contracts/json';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { repack } from '../pack/packing.js';
import { ask, isReplay, openService, patienceOf, requireBound, requireOpenGates } from '../service.js';
import { repeatOf, Submission } from '../submission.js';
import { launchText } from './launch-text.js';

const KEY = /^[A-Za-z0-9._:-]{16,128}$/;

/** Returns the key that the user chose. @throws {LaunchError} for a key that the service would refuse. */
export function chosenKey({ 'idempotency-key': chosen }: Options): string | undefined {
  if (chosen === undefined || KEY.test(chosen)) return chosen;
  throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--idempotency-key is 16 to 128 of A-Z a-z 0-9 . _ : -');
}

/** `launch submit`: reserves a launch, or reads the one that these bytes reserved under this key. It authorizes nothing. */
export async function submit(options: Options, world: World): Promise<Outcome> {
  const chosen = chosenKey(options);
  const { bytes, idempotencyKey, sent } = await repack(options, world);
  const patient = patienceOf(options, world);
  const service = openService(world, () => readApiKey(world.environment));
  await requireOpenGates(service, patient);
  const key = chosen ?? idempotencyKey;
  const submission = new Submission(repeatOf('submit', options, key));
  world.submitting(submission);
  const input = { header: { 'Idempotency-Key': key }, body: bytes };
  const answer = await ask(service, createCustomLaunch, input, patient, submission);
  requireBound(CUSTOM_LAUNCH_MEMBERS, answer, { request: sent });
  const replayed = isReplay(answer);
  return {
    exitCode: EXIT.done,
    httpStatus: answer.status,
    replayed,
    resource: answer.value as unknown as JsonValue,
    text: launchText(answer.value, Date.now(), { replayed, request: sent }),
  };
}
