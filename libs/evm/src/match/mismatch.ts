import type { BytecodeMismatch, BytecodeMismatchCode } from './bytecode-match.types.js';

/** A mismatch with the details that it has. */
export function mismatch(
  code: BytecodeMismatchCode,
  reason: BytecodeMismatch['reason'],
  details: Partial<Pick<BytecodeMismatch, 'offset' | 'expectedLength' | 'actualLength' | 'subject'>> = {},
): BytecodeMismatch {
  return { code, reason, offset: null, expectedLength: null, actualLength: null, subject: null, ...details };
}
