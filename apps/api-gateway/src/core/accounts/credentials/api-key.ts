import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** `clk_<key id>_<secret>`: the id finds the row, 256 random bits prove the holder. */
const KEY_FORM = /^clk_([0-9a-z]{20})_([A-Za-z0-9_-]{43})$/;
const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuv';

export interface ApiKey {
  readonly credentialId: string;
  readonly secret: Buffer;
}

/** Parses the two parts of a key; null for any text that is not a key of this service. */
export function parseApiKey(text: string): ApiKey | null {
  const match = KEY_FORM.exec(text);
  if (match === null) return null;
  const [, credentialId, encoded] = match as unknown as [string, string, string];
  const secret = Buffer.from(encoded, 'base64url');
  return secret.length === 32 && secret.toString('base64url') === encoded ? { credentialId, secret } : null;
}

/** Generates a key. Its plaintext exists only in the result. */
export function newApiKey(): ApiKey & { readonly text: string } {
  let credentialId = '';
  for (const byte of randomBytes(20)) credentialId += ID_ALPHABET[byte & 31];
  const secret = randomBytes(32);
  return { credentialId, secret, text: `clk_${credentialId}_${secret.toString('base64url')}` };
}

/** Returns the stored form of a key: HMAC-SHA-256 of id and secret under the deployment's pepper. */
export const secretMac = (pepper: string, key: ApiKey): Buffer =>
  createHmac('sha256', pepper).update(`${key.credentialId}:`).update(key.secret).digest();

/** Compares in constant time; an absent stored value costs the same and never matches. */
export function matchesMac(pepper: string, key: ApiKey, stored: Uint8Array | null): boolean {
  const computed = secretMac(pepper, key);
  const expected = stored !== null && stored.length === computed.length ? stored : Buffer.alloc(computed.length);
  return timingSafeEqual(computed, expected) && stored !== null;
}
