import { LaunchClientError } from '@launch/sdk';
import type { LaunchClients } from '../../session/session-clients.js';
import { ownerFailureOf } from '../../site/owner-read.js';
import type { LaunchFacts, LaunchKind, OwnedLaunch } from './launch-facts.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a launch of a known family. */
export async function readOwned(clients: LaunchClients, kind: LaunchKind, id: string): Promise<OwnedLaunch> {
  switch (kind) {
    case 'launch':
      return { kind, value: await clients.launches.get(id) };
    case 'plan':
      return { kind, value: await clients.plans.get(id) };
    case 'multi-role':
      return { kind, value: await clients.multiRole.get(id) };
  }
}

/**
 * Finds the family of an id and reads the launch.
 * @throws {LaunchClientError} with status 404 if no family has it, and the failure of a family that could not be read
 */
export async function findOwned(clients: LaunchClients, id: string): Promise<OwnedLaunch> {
  const kinds: readonly LaunchKind[] = UUID.test(id) ? ['launch', 'plan', 'multi-role'] : [];
  for (const kind of kinds) {
    try {
      return await readOwned(clients, kind, id);
    } catch (error) {
      if (ownerFailureOf(error).is !== 'absent') throw error;
    }
  }
  throw new LaunchClientError('NOT_FOUND', 'no launch of this account has this id', { status: 404 });
}

/** Reads the bytes of a request; the client compares them with their digest. */
export function readRequestOf(clients: LaunchClients, { kind, id }: LaunchFacts): Promise<Uint8Array> {
  switch (kind) {
    case 'launch':
      return clients.launches.request(id);
    case 'plan':
      return clients.plans.request(id);
    case 'multi-role':
      return clients.multiRole.request(id);
  }
}

const SECOND_MS = 1_000;

/** Returns the milliseconds until a launch is read again: stages that take minutes are read rarely, an end no more. */
export function pauseAfter({ end, waitsFor, next }: LaunchFacts): number | null {
  if (end !== null) return null;
  if (waitsFor === 'service') return 3 * SECOND_MS;
  if (waitsFor === 'wallet' || next === 'sent' || next === 'included') return 5 * SECOND_MS;
  return (next === 'posted' ? 20 : 45) * SECOND_MS;
}
