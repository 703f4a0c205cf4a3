import { paddedLength } from './base64-length.js';

/**
 * Decodes standard base64 with padding (RFC 4648, section 4) into memory that nothing else shares; null for any other
 * text. Node's decoder skips other characters, which the decoded length reveals. It also accepts the letters of
 * base64url, and non-ASCII characters by their lowest byte, so this function searches for both.
 */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const length = paddedLength(text);
  if (length === null || Buffer.byteLength(text) !== text.length || text.includes('-') || text.includes('_'))
    return null;
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.write(text, 'base64') === length ? new Uint8Array(bytes.buffer) : null;
}
