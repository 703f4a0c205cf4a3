import { createHash } from 'node:crypto';

/** The SHA-256 of bytes on the wire: `sha256:` and 64 lowercase hex digits. */
export type Sha256Digest = `sha256:${string}`;

const FORM = /^sha256:[0-9a-f]{64}$/;

/** True when `value` has exactly the wire form of a digest. */
export function isSha256Digest(value: string): value is Sha256Digest {
  return FORM.test(value);
}

/** Hashes bytes into their content name. */
export function sha256Digest(bytes: Uint8Array): Sha256Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
