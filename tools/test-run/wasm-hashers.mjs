// Stands for libs/contracts/src/primitives/wasm-hashers.ts in Jest: the same hasher, already there when modules are loaded.
export const { keccak256 } = globalThis[Symbol.for('launch.wasm-hashers')];
