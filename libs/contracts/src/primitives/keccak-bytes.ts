import { keccak256 } from './wasm-hashers.js';

/** Returns keccak-256 of bytes as 32 bytes, for hot loops that hash the result again or read a part of it. */
export const keccak256Bytes = (bytes: Uint8Array): Uint8Array => keccak256.init().update(bytes).digest('binary');
