import { getDiscovery } from '@launch/api-client';
import { DISCOVERY_MEMBERS } from '@launch/client-core/binding';
import { closedGates } from '@launch/client-core/progress';
import { LaunchClientError } from './launch-client.error.js';
import type { Service } from './service.js';

/**
 * Reads discovery, without the key, before the key is used.
 * @throws {LaunchClientError} `LAUNCHES_CLOSED` unless every gate is open for chain 4663, in both places in discovery
 */
export async function requireOpenGates(service: Service): Promise<void> {
  const { value } = await service.call(getDiscovery, {}, { members: DISCOVERY_MEMBERS, subject: undefined });
  const closed = closedGates(value);
  if (closed.length > 0)
    throw new LaunchClientError('LAUNCHES_CLOSED', `closed at the service: ${closed.join(', ')}`, { retryable: true });
}
