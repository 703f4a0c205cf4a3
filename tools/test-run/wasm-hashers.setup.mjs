// Before every test file: hash-wasm's hasher, which is made asynchronously, for tools/test-run/wasm-hashers.mjs.
import { createKeccak } from 'hash-wasm';

globalThis[Symbol.for('launch.wasm-hashers')] = { keccak256: await createKeccak(256) };
