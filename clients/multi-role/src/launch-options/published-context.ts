import type { JsonObject, JsonValue } from '@launch/contracts/json';
import { capabilitiesSchema, contextSchema, type LaunchContext } from '@launch/contracts/multi-role';
import { readBoundedFile } from '../offline/new-file.js';
import { PackError } from '../offline/pack.error.js';
import { parseDocument, validateDocument } from '../offline/strict-document.js';

const CAPABILITIES_BYTES = 1024 * 1024;

/**
 * Reads the published context from a capabilities document (saved by `--save-response` or printed by the client), or from a
 * file with the context alone.
 * @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID`, also for a deployment that is not ready.
 */
export function readPublishedContext(file: string): LaunchContext {
  const tooLarge = new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', [
    { path: '--capabilities', message: 'is larger than a capabilities document' },
  ]);
  const code = 'MULTI_ROLE_PACK_CONFIG_INVALID';
  const document = parseDocument(
    readBoundedFile(file, '--capabilities', CAPABILITIES_BYTES, tooLarge),
    code,
    '--capabilities',
  );
  const value = isObject(document) ? (document['response'] ?? document) : document;
  if (!isObject(value) || !('readiness' in value)) return validateDocument(contextSchema, value, code);
  const capabilities = validateDocument(capabilitiesSchema, value, code);
  if (capabilities.context === null || capabilities.readiness.status !== 'ready') {
    throw new PackError(code, [{ path: '--capabilities', message: 'the deployment is not ready for launches' }]);
  }
  return capabilities.context;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
