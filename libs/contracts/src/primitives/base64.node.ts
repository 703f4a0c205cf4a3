import { paddedLength } from './base64-length.js';

/**
 * The bytes of standard base64 with padding (RFC 4648, section 4), in memory of their own; null for every other text.
 * Node's decoder passes over what is no letter, and then gives fewer bytes than the length of the text says. It takes
 * the letters of base64url for standard ones, and a character beyond ASCII by its lowest byte: they are looked for.
 */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const length = paddedLength(text);
  if (length === null || Buffer.byteLength(text) !== text.length || text.includes('-') || text.includes('_'))
    return null;
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.write(text, 'base64') === length ? new Uint8Array(bytes.buffer) : null;
}
