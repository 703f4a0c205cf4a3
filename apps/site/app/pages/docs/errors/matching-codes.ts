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

/** Returns the codes whose name, meaning, remedy, member or status contains each word of a question. */
export function matchingCodes(codes: readonly ShownCode[], question: string): readonly ShownCode[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return codes;
  return codes.filter(({ code, meaning, remedy, status, member }) => {
    const text = `${code} ${code.replaceAll('_', ' ')} ${meaning} ${remedy} ${status ?? ''} ${member ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
