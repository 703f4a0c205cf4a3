import { keccak256 } from './wasm-hashers.js';

/** keccak-256 of bytes as 32 bytes, for those who hash on or look at some of them, ten thousand times over. */
export const keccak256Bytes = (bytes: Uint8Array): Uint8Array => keccak256.init().update(bytes).digest('binary');
