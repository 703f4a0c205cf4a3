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

/** A code as the page shows it. */
export interface ShownCode {
  readonly code: string;
  readonly meaning: string;
  readonly remedy: string;
  /** HTTP status of an answer with the code; null for a code that occurs in findings or reasons only. */
  readonly status: number | null;
  /** Whether the same request can succeed later; null for a reason, which is no error. */
  readonly retryable: boolean | null;
  /** The member that has the reason; null for an error. */
  readonly member: string | null;
  /** The operations that answer with the code. */
  readonly operations: readonly string[];
}

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

/** Returns the codes whose name, meaning, remedy, member or status contains each word of a question. */
export function matchingCodes(codes: readonly ShownCode[], question: string): readonly ShownCode[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return codes;
  return codes.filter(({ code, meaning, remedy, status, member }) => {
    const text = `${code} ${code.replaceAll('_', ' ')} ${meaning} ${remedy} ${status ?? ''} ${member ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
