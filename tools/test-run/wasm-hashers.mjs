// Stands for libs/contracts/src/primitives/wasm-hashers.ts in Jest: the same hashers, already there when modules are loaded.
export const [sha256, keccak256] = globalThis[Symbol.for('launch.wasm-hashers')];
