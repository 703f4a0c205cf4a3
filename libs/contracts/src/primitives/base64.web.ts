import { paddedLength } from './base64-length.js';

/**
 * Decodes standard base64 with padding (RFC 4648, section 4); null for any other text. `atob` skips white space and
 * accepts missing padding, which the decoded length reveals.
 */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const length = paddedLength(text);
  const binary = length === null ? null : decoded(text);
  if (binary === null || binary.length !== length) return null;
  const bytes = new Uint8Array(length);
  // A plain loop, because mapping over an iterator costs ten times as much on a source bundle.
  for (let index = 0; index < length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Returns one character per byte; null for a text that the decoder refuses. */
function decoded(text: string): string | null {
  try {
    return atob(text);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
