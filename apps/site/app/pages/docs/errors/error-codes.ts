import {
  ACTION_REMEDIES,
  CUSTOM_LAUNCH_CODES,
  ERROR_CODES,
  MODULE_CODES,
  REASON_CATALOGUE,
  REVIEWER_CODES,
  servedEntry,
  type ServedCode,
} from '@launch/contracts/errors';
import type { ShownCode } from './matching-codes.js';

/**
 * Returns every code that an answer or a finding can have, in the order of the catalogues, then the reasons.
 * @param answering the operations by the code with which they answer; a code without one occurs in findings only
 */
export function errorCodes(answering: ReadonlyMap<string, readonly string[]> = new Map()): ShownCode[] {
  const served = [...new Set<ServedCode>([...ERROR_CODES, ...CUSTOM_LAUNCH_CODES, ...MODULE_CODES, ...REVIEWER_CODES])];
  const errors = served.map((code): ShownCode => {
    const { status, retryable, message, action } = servedEntry(code);
    const operations = answering.get(code) ?? [];
    return {
      code,
      meaning: message,
      remedy: ACTION_REMEDIES[action],
      status: operations.length > 0 ? status : null,
      retryable,
      member: null,
      operations,
    };
  });
  const known = new Set<string>(served);
  const reasons = Object.entries(REASON_CATALOGUE)
    .filter(([code]) => !known.has(code))
    .map(([code, [member, meaning, remedy]]): ShownCode => ({
      code,
      meaning,
      remedy,
      status: null,
      retryable: null,
      member,
      operations: [],
    }));
  return [...errors, ...reasons];
}
