import type { BytecodeMismatch, BytecodeMismatchCode } from './bytecode-match.types.js';

/** Builds a mismatch with its details. */
export function mismatch(
  code: BytecodeMismatchCode,
  reason: BytecodeMismatch['reason'],
  details: Partial<Pick<BytecodeMismatch, 'offset' | 'expectedLength' | 'actualLength' | 'subject'>> = {},
): BytecodeMismatch {
  return { code, reason, offset: null, expectedLength: null, actualLength: null, subject: null, ...details };
}
