import { finding } from '@launch/contracts/errors';
import { isCanonical, parseStrictJson, StrictJsonError, type StrictJsonErrorCode } from '@launch/contracts/json';
import { LIMITS } from '@launch/contracts/primitives';
import { verdictOf, type Verdict } from '../verdict.types.js';
import { jsonFinding } from './json.finding.js';

/** Checks whether bytes are strict JSON as the service reads it, and whether they are canonical. */
export function verifyJson(bytes: Uint8Array | null): Verdict {
  if (bytes === null)
    return verdictOf(
      'json',
      [finding('REQUEST_TOO_LARGE', '', { expected: `at most ${LIMITS.requestBytes} bytes` })],
      {},
    );
  try {
    parseStrictJson(bytes);
    return verdictOf('json', [], { byteLength: bytes.length, canonical: isCanonical(bytes), fault: null });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const fault: { code: StrictJsonErrorCode; offset: number } = { code: error.code, offset: error.offset };
    return verdictOf('json', [jsonFinding(error)], { byteLength: bytes.length, canonical: false, fault });
  }
}
