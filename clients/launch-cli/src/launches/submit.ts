import { createCustomLaunch } from '@launch/api-client';
import type { JsonValue } from '@launch/contracts/json';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { repack } from '../pack/packing.js';
import { ask, openService, requireOpenGates } from '../service.js';
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
  const { bytes, report } = await repack(options, world);
  const patient = options['retry'] === undefined ? null : world;
  const service = openService(world, () => readApiKey(world.environment));
  await requireOpenGates(service, patient);
  const header = { 'Idempotency-Key': chosen ?? report.idempotencyKey };
  const answer = await ask(service, createCustomLaunch, { header, body: new Uint8Array(bytes) }, patient);
  return {
    exitCode: EXIT.done,
    httpStatus: answer.status,
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    resource: answer.value as unknown as JsonValue,
    text: launchText(answer.value, Date.now()),
  };
}
