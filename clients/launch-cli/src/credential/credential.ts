import { getCredential, type components } from '@launch/api-client';
import { CREDENTIAL_MEMBERS } from '@launch/client-core/binding';
import type { JsonValue } from '@launch/contracts/json';
import { table } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT } from '../launch.error.js';
import { ask, openService, patienceOf, readDiscovery, requireBound } from '../service.js';
import { readApiKey } from './key-store.js';

type Credential = components['schemas']['CustomLaunchCredentialV1'];

/**
 * `launch credential`: reads the permissions of the key. Reads discovery first without the key, so a key goes to this service
 * only.
 */
export async function credential(options: Options, world: World): Promise<Outcome> {
  const service = openService(world, () => readApiKey(world.environment));
  const patient = patienceOf(options, world);
  await readDiscovery(service, patient);
  const answer = await ask(service, getCredential, { path: { chainId: '4663' } }, patient);
  requireBound(CREDENTIAL_MEMBERS, answer, undefined);
  const { status, value } = answer;
  return { exitCode: EXIT.done, httpStatus: status, resource: value as unknown as JsonValue, text: textOf(value) };
}

function textOf(one: Credential): string {
  const controllers = one.boundController === null ? one.allowedControllers : [one.boundController];
  return table([
    ['credential', `${one.credentialId}, ${one.status}`],
    ['kind', one.kind],
    ['scopes', one.scopes.join(' ') || 'none'],
    ['chains', one.chainGrants.join(' ') || 'none'],
    ['controllers', controllers.join(' ') || 'none'],
    ['expires', one.expiresAt ?? 'never'],
  ]);
}
