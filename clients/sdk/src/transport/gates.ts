import { getDiscovery } from '@launch/api-client';
import { DISCOVERY_MEMBERS } from '@launch/client-core/binding';
import { LaunchClientError } from './launch-client.error.js';
import type { Service } from './service.js';

const GATES = ['publicAuthorization', 'publicWrites', 'releaseReady'] as const;

/**
 * Reads discovery, without the key, before the key is used.
 * @throws {LaunchClientError} `LAUNCHES_CLOSED` unless every gate is open for chain 4663, in both places in discovery
 */
export async function requireOpenGates(service: Service): Promise<void> {
  const { value } = await service.call(getDiscovery, {}, { members: DISCOVERY_MEMBERS, subject: undefined });
  const { v4 } = value.customLaunchApi.versions;
  const places = [v4, ...v4.chains.filter(({ chainId }) => chainId === '4663')];
  const closed = GATES.filter((gate) => places.length < 2 || places.some((place) => place[gate] !== true));
  if (closed.length > 0)
    throw new LaunchClientError('LAUNCHES_CLOSED', `closed at the service: ${closed.join(', ')}`, { retryable: true });
}
