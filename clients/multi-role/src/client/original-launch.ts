import type { JsonValue } from '@launch/contracts/json';
import { finalityGeneration } from '@launch/contracts/multi-role';
import { bytes32Schema, canonicalKeccak, uuidSchema } from '@launch/contracts/primitives';
import { z } from 'zod';
import { parseWith } from '../offline/strict-document.js';
import { ClientError } from './client.error.js';
import { parseKept } from './kept-document.js';

/** A launch as the service first answered it. Its finality is always read by this response. */
export interface OriginalLaunch {
  readonly launchId: string;
  readonly onchainLaunchId: string;
  readonly contextHash: string;
  /** From the original's own context, never a newer one. */
  readonly generation: 'v2' | 'v3';
}

/** The members that recovery needs. A response kept for years may lack newer members, and a newer one may have more. */
const originalSchema = z.looseObject({
  schemaVersion: z.literal('service.multi-role-launch-resource.v2'),
  launchId: uuidSchema,
  onchainLaunchId: bytes32Schema,
  contextHash: bytes32Schema,
  context: z.record(z.string(), z.unknown()),
});

const invalid = (path: string, message: string): ClientError =>
  new ClientError('MULTI_ROLE_CLIENT_ORIGINAL_INVALID', { findings: [{ path, message }] });

/**
 * Reads a kept `create` or `get` response. Its context must hash to the context hash stored with it. The marker in that
 * context selects the finality generation, and one that names no policy selects none.
 *
 * @throws {ClientError} `MULTI_ROLE_CLIENT_ORIGINAL_INVALID`
 */
export function readOriginalLaunch(bytes: Uint8Array): OriginalLaunch {
  const document = parseKept(bytes, 'MULTI_ROLE_CLIENT_ORIGINAL_INVALID', '');
  const parsed = parseWith(originalSchema, document);
  if (!parsed.ok) throw new ClientError('MULTI_ROLE_CLIENT_ORIGINAL_INVALID', { findings: parsed.findings });
  const { launchId, onchainLaunchId, contextHash } = parsed.value;
  // Hashes the context as received: today's schema must not affect an earlier hash.
  const { context } = document as Readonly<Record<string, JsonValue>>;
  if (canonicalKeccak(context) !== contextHash)
    throw invalid('/contextHash', 'is not the hash of the context beside it');
  const generation = finalityGeneration(context);
  if (typeof generation !== 'string')
    throw invalid(
      '/context/profile/derivedContractFinality',
      `is ${generation.invalid} and selects no finality generation`,
    );
  return { launchId, onchainLaunchId, contextHash, generation };
}
