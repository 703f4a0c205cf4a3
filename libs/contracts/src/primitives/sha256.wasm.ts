import { createSHA256 } from 'hash-wasm';

const sha256 = await createSHA256();

/**
 * Returns SHA-256 as 64 lowercase hex digits, outside Node. The hasher is one instance, used synchronously and never
 * across an await.
 */
export const sha256Hex = (bytes: Uint8Array): string => sha256.init().update(bytes).digest('hex');
