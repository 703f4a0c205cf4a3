import { parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { ClientError, type ClientErrorCode } from './client.error.js';

/**
 * Parses a file that the launcher kept.
 *
 * @param path the place of the fault in the finding.
 * @throws {ClientError} `code` with the byte of the first fault.
 */
export function parseKept(bytes: Uint8Array, code: ClientErrorCode, path: string): JsonValue {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ClientError(code, { findings: [{ path, message: `${error.code} at byte ${error.offset}` }] });
  }
}
