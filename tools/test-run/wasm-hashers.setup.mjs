// Before every test file: hash-wasm's hashers, which are made asynchronously, for tools/test-run/wasm-hashers.mjs.
import { createKeccak, createSHA256 } from 'hash-wasm';

globalThis[Symbol.for('launch.wasm-hashers')] = await Promise.all([createSHA256(), createKeccak(256)]);
