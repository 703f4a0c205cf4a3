import { readBase64 } from '#base64';

/**
 * Standard base64 with padding. The package's import `#base64` selects Node's decoder, or that of the web outside Node.
 */
export { readBase64 };

/** Decodes standard base64. @throws TypeError for any other text. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = readBase64(text);
  if (bytes === null) throw new TypeError('the text is not standard base64 with padding');
  return bytes;
}

/** Returns whether a text is standard base64 with padding (RFC 4648, section 4). */
export const isBase64 = (text: string): boolean => readBase64(text) !== null;
