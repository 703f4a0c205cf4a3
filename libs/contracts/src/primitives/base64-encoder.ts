/** Bytes for each call of `String.fromCharCode`: every engine takes so many arguments. */
const PIECE = 8_192;

/** Encodes bytes as standard base64 with padding (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary);
}
